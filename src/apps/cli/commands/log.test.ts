import { describe, expect, it } from 'vitest'
import type { LoggedCall } from '../../../core/tools/index.js'
import { style } from '../terminal/terminal.js'
import { textWidth } from '../terminal/text-width.js'
import { showCall } from './log.js'

const call: LoggedCall = {
  id: '2',
  timestamp: new Date(2026, 0, 31, 18, 30, 5).toISOString(),
  session: 's',
  tool_name: 'read_note',
  arguments: { heading: 'Blight', path: 'Garden/Tomatoes.md' },
  decision: 'allowed',
  rule: 'level:ask',
  result: '1 note',
  duration_ms: 3.4,
}
const wide = { style: style(false), width: 140 }

describe('a row of the log', () => {
  it('shows time, tool, decision, rule, duration and subject', () => {
    expect(showCall(call, wide).split(/ {2,}/)).toEqual([
      '2026-01-31 18:30:05',
      'read_note',
      'allowed',
      'level:ask',
      '3',
      'Garden/Tomatoes.md → 1 note',
    ])
  })

  it('says when a call failed or never ended', () => {
    const { result, duration_ms, ...started } = call
    expect(showCall(started, wide)).toMatch(/Garden\/Tomatoes\.md → unfinished$/)
    const error = { code: 'not-found', message: 'Note not found: X.md' }
    expect(showCall({ ...started, duration_ms, error }, wide)).toMatch(/→ not-found: Note not found: X\.md$/)
    expect(result).toBe('1 note')
  })

  it('fits the terminal and obeys nothing that a model or a note put into it', () => {
    const evil = `\u001b[2J\u202e${'x'.repeat(500)}\n`
    const odd: LoggedCall = { ...call, tool_name: evil, rule: evil, arguments: { query: evil }, result: evil }
    for (const width of [80, 140]) {
      const lines = showCall(odd, { style: style(false), width }).split('\n')
      expect(lines).toHaveLength(width === 80 ? 2 : 1)
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
      expect(lines.join('')).not.toMatch(/[\u001b\u202e]/)
      expect(lines.join('')).toContain('⟦U+001B⟧[2J')
    }
  })
})
