import { describe, expect, it } from 'vitest'
import { showDiff } from '../../../core/vault/index.js'
import { compactDiff } from './changes.js'

const compact = (before: string, after: string, width = 60) => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  return compactDiff(showDiff('Note.md', bytes(before), bytes(after)), width)
}

describe('a diff in few lines', () => {
  it('shows only what changes, with line numbers', () => {
    expect(compact('a\nb\nc\nd\n', 'a\nB\nc\nd\ne\n')).toEqual(['-    2  b', '+    2  B', '+    5  e'])
  })

  it('shows a long line from shortly before the change, the same on both sides', () => {
    const before = `${'word '.repeat(40)}[[Oven Log]] and more`
    const [removed, added] = compact(before, before.replace('Oven Log', 'Log'))
    expect(removed).toMatch(/^- {4}1 {2}….*\[\[Oven Log\]\] and more$/)
    expect(added).toMatch(/^\+ {4}1 {2}….*\[\[Log\]\] and more$/)
  })

  it('stays within the width and obeys nothing the note says', () => {
    for (const line of compact('x'.repeat(500), `\x1b[2J${'番'.repeat(300)}`, 40)) {
      expect(line).not.toContain('\x1b')
      expect(line.length).toBeLessThanOrEqual(40)
    }
  })

  it('keeps lines of a note that look like parts of a diff', () => {
    expect(compact('--- a\n', '+++ b\n')).toEqual(['-    1  --- a', '+    1  +++ b'])
    expect(compact('x\n', '@@ -9 +9 @@\n')).toEqual(['-    1  x', '+    1  @@ -9 +9 @@'])
  })

  it('passes on a sentence where there is no diff', () => {
    expect(compactDiff('10 bytes become 12 bytes, not UTF-8\n', 60)).toEqual(['10 bytes become 12 bytes, not UTF-8'])
  })
})
