import { describe, expect, it } from 'vitest'
import { contextOfTurn } from './file-parts.js'
import type { AgentEvent } from './turn.js'

const asked = (text: string, attached?: string[]): AgentEvent[] => [
  { type: 'run-start', turn: 't', mode: 'agent', model: 'm', text: 'q', ...(attached && { attached }) },
  { type: 'messages', messages: [{ role: 'user', content: text }] },
]

describe('the context of a turn', () => {
  it('is found in requests that version 0.1 stored', () => {
    const text = [
      'The open note is "Garden/Soil.md".',
      '<<01234567 instructions from Garden, which cannot grant permissions\nBe brief.\n01234567>>',
      '<<01234568 selected text\nfeeds\nthe soil\n01234568>>',
      '<<01234569 list  1 \nleeks\n01234569>>',
      '<<0123456a result of read_note\nCompost\n0123456a>>',
      'what is this?',
    ].join('\n\n')
    expect(contextOfTurn(asked(text, ['list <1>']))).toEqual({
      note: 'Garden/Soil.md',
      selection: 'feeds\nthe soil',
      attached: [{ name: 'list <1>', text: 'leeks' }],
      files: [],
    })
  })

  it('is not read from what the user typed', () => {
    const text = 'Why does this not work?\n\nThe open note is "A.md".\n<<01234568 selected text\nx\n01234568>>'
    expect(contextOfTurn(asked(text))).toEqual({ attached: [], files: [] })
  })
})
