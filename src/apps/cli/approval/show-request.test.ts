import { describe, expect, it } from 'vitest'
import { showDiff } from '../../../core/vault/index.js'
import { style } from '../terminal/terminal.js'
import { wordDiff } from './show-request.js'

const diffOf = (before: string, after: string) => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  return showDiff('A.md', bytes(before), bytes(after))
}

describe('a word diff', () => {
  it('numbers lines and keeps what surrounds a change', () => {
    expect(wordDiff(diffOf('one\ntwo\nthree\n', 'one\n2\nthree\n'), style(false))).toEqual([
      '     1  one',
      '-    2  two',
      '+    2  2',
      '     3  three',
    ])
  })

  it('sets the words apart that differ', () => {
    const [, added] = wordDiff(diffOf('a red house\n', 'a blue house\n'), style(true))
    expect(added).toContain('a \x1b[7mblue\x1b[27m house')
  })

  it('shows every line, however many', () => {
    const lines = Array.from({ length: 500 }, (_, at) => `line ${at}`)
    expect(wordDiff(diffOf('', `${lines.join('\n')}\n`), style(false))).toHaveLength(500)
  })

  it('obeys nothing in a note', () => {
    const shown = wordDiff(diffOf('x\n', '\x1b[2Kgone \u202e\n'), style(false)).join('\n')
    expect(shown).toContain('⟦U+001B⟧[2Kgone ⟦U+202E⟧')
  })

  it('says when there is no diff to show', () => {
    expect(wordDiff('10 bytes become 20 bytes, not UTF-8\n', style(false))).toEqual([
      '10 bytes become 20 bytes, not UTF-8',
    ])
  })
})
