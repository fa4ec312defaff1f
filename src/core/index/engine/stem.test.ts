import { describe, expect, it } from 'vitest'
import { englishStem, stemOf } from './stem.js'

describe('the English stem', () => {
  it.each([
    ['connect connected connecting connection connections', 'connect'],
    ['adopt adopted adopting adoption', 'adopt'],
    ['construct constructed constructions', 'construct'],
    ['relate related relational relating', 'relat'],
    ['boundary boundaries', 'boundari'],
    ['hopping hopped hop', 'hop'],
    ['hoping hoped hope', 'hope'],
    ['controlling controlled control', 'control'],
    ['generously generous', 'generous'],
    ['communities community', 'communiti'],
    ['dying die', 'die'],
    ['cries cried cry', 'cri'],
  ])('of %s is one', (words, stem) => {
    for (const word of words.split(' ')) expect(englishStem(word)).toBe(stem)
  })

  it('does not stem words that only look inflected', () => {
    for (const word of ['news', 'gas', 'this', 'bias', 'feed', 'herring', 'bed', 'sky', 'by']) {
      expect(englishStem(word)).toBe(word)
    }
  })

  it('treats the y of say as a vowel and the y of yes as a consonant', () => {
    expect(englishStem('say')).toBe('say')
    expect(englishStem('youth')).toBe('youth')
    expect(englishStem('happy')).toBe('happi')
  })
})

describe('the stem of a word', () => {
  it('depends on the script of its first letter', () => {
    expect(stemOf('книгами')).toBe(stemOf('книга'))
    expect(stemOf('новый')).toBe(stemOf('новая'))
    expect(stemOf('الكتاب')).toBe('كتاب')
    expect(stemOf('東京')).toBe('東京')
    expect(stemOf('2024')).toBe('2024')
  })
})
