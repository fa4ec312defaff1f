import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachWord, foldedAscii, foldedPage, hashWord, longestWord, wordBytes, wordsOf } from './words.js'

describe('words of a text', () => {
  it('are lower case, without accents, marks and stretching strokes', () => {
    expect(wordsOf('Crème BRÛLÉE Ünïcode straße ЁЖИК كـــتاب')).toEqual([
      'creme',
      'brulee',
      'unicode',
      'strasse',
      'ежик',
      'كتاب',
    ])
  })

  it('keep the Russian short i, on which endings depend', () => {
    expect(wordsOf('Йога новый новы\u0438\u0306')).toEqual(['йога', 'новый', 'новый'])
  })

  it('lose a final apostrophe s and every other apostrophe', () => {
    expect(wordsOf("the dog's dogs' don't x’s rock 'n' roll")).toEqual([
      'the',
      'dog',
      'dogs',
      'dont',
      'x',
      'rock',
      'n',
      'roll',
    ])
  })

  it('are separated by everything that is no letter or digit', () => {
    expect(wordsOf('snake_case, C++/x86;foo-bar 3.14 a\u200bb soft\u00adhyphen')).toEqual([
      'snake',
      'case',
      'c',
      'x86',
      'foo',
      'bar',
      '3',
      '14',
      'a',
      'b',
      'softhyphen',
    ])
  })

  it('of scripts without spaces are their characters with the pairs between them', () => {
    expect(wordsOf('東京都 書 한국')).toEqual(['東', '東京', '京', '京都', '都', '書', '한', '한국', '국'])
    expect(wordsOf('vim教程x')).toEqual(['vim', '教', '教程', '程', 'x'])
  })

  it('keep voicing marks of kana and vowel signs of Hindi', () => {
    expect(wordsOf('が か')).toEqual(['が', 'か'])
    expect(wordsOf('हिन्दी')).toEqual(['हिन्दी'])
  })

  it('fold compatibility forms and count pictographs as words', () => {
    expect(wordsOf('ﬁne ｆｕｌｌ 𝐛old 📅due')).toEqual(['fine', 'full', 'bold', '📅', 'due'])
  })

  it('are cut at the longest length', () => {
    const [word] = wordsOf('x'.repeat(100_000))
    expect(word).toHaveLength(longestWord)
  })

  it('are the same however the accents of the text are encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(wordsOf(text.normalize('NFD'))).toEqual(wordsOf(text.normalize('NFC')))
      }),
    )
  })

  it('do not change when folded again', () => {
    fc.assert(
      fc.property(fc.constantFrom('Straße', 'ÉCOLE', 'Ångström', 'Ёлка', 'ΑΘΗΝΑ', 'Ⅷ', 'ﬃ'), (text) => {
        expect(wordsOf(wordsOf(text).join(' '))).toEqual(wordsOf(text))
      }),
    )
  })

  it('come with the hash of their bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        eachWord(text, (length, hash) => expect(hash).toBe(hashWord(wordBytes, 0, length)))
      }),
    )
  })
})

it('folds ASCII as the Unicode rules do', () => {
  expect(foldedAscii).toEqual(foldedPage(0).slice(0, 128))
})
