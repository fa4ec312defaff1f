import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldPath } from './fold-path.js'

describe('foldPath', () => {
  it.each([
    ['Café.md', 'cafe\u0301.MD'],
    ['Straße.md', 'STRASSE.md'],
    ['STRAẞE.md', 'strasse.md'],
    ['ſ.md', 'S.md'],
    ['\u212a.md', 'k.md'],
    ['ΟΔΟΣ.md', 'οδος.md'],
    ['οδοσ.md', 'οδος.md'],
    ['µ.md', 'μ.md'],
    ['a./b .md', 'A/b .md'],
    ['note.md.', 'note.md'],
    ['note.md  ', 'NOTE.md'],
  ])('makes %j and %j the same', (one, other) => expect(foldPath(one)).toBe(foldPath(other)))

  it.each([
    ['kı.md', 'ki.md'],
    ['a.md', 'b.md'],
    ['a b.md', 'ab.md'],
    ['a/b.md', 'a b.md'],
  ])('keeps %j and %j apart', (one, other) => expect(foldPath(one)).not.toBe(foldPath(other)))

  it('folds what is folded to itself, and does not mind normalisation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldPath(text)
        expect(foldPath(folded)).toBe(folded)
        expect(foldPath(text.normalize('NFD'))).toBe(folded)
      }),
    )
  })
})
