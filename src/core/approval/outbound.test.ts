import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../test/runner/how-often.js'
import { typedText } from './outbound.js'

const typed = (...texts: string[]) => typedText(texts)

describe('the words a user typed', () => {
  it('cover a search in them, in any order and however they begin', () => {
    const said = typed('When do I sow peas in Berlin?', 'And in Köln, "early" ones?')
    expect(said.missing('sow peas berlin')).toEqual([])
    expect(said.missing('Peas Berlin sow when')).toEqual([])
    expect(said.missing('early peas in Ko\u0308ln')).toEqual([])
    expect(said.missing('When do I sow peas in Berlin?')).toEqual([])
  })

  it('do not cover one word more', () => {
    expect(typed('When do I sow peas?').missing('sow peas 2024')).toEqual(['2024'])
  })

  it('cover each word as often as it was typed: two short words could spell anything', () => {
    const said = typed('I have a garden')
    expect(said.missing('a I')).toEqual([])
    expect(said.missing('a I a a I')).toEqual(['a', 'a', 'I'])
  })

  it('do not cover signs, blanks or letters that could carry something', () => {
    const said = typed('sow peas')
    for (const text of [
      'sow  peas',
      'sow\u200bpeas',
      'sow peas.',
      'sOw pEAs',
      '"sow" peas',
      'sow\tpeas',
      'sow peas\u{e0041}',
    ]) {
      expect(said.missing(text)).not.toEqual([])
    }
  })

  it('cover nothing that is made of other words, however it is hidden', () => {
    const word = fc.stringMatching(/^[a-z]{4,12}$/)
    const hidings: ((text: string) => string)[] = [
      (text) => text,
      (text) => [...text].reverse().join(''),
      (text) => btoa(text),
      (text) => [...text].map((each) => each.charCodeAt(0).toString(16)).join(''),
      (text) => [...text].join(' '),
      (text) => [...text].join('.'),
      (text) => text.slice(0, 3),
      (text) => encodeURIComponent(text).replace(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`),
    ]
    const plain = 'What do my notes say about the garden?'
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.constantFrom(...hidings), (secret, hide) => {
        const text = hide(secret.join(' '))
        fc.pre(!plain.toLowerCase().split(/\W+/).includes(text.toLowerCase()))
        fc.pre(!secret.every((each) => plain.toLowerCase().includes(each)))
        expect(typed(plain).missing(text)).not.toEqual([])
      }),
      { numRuns: howOften(300, 20_000) },
    )
  })
})

describe('the addresses a user typed', () => {
  it.each([
    ['Read https://example.org/a?b=c.', 'https://example.org/a?b=c'],
    ['(see https://example.org/a)', 'https://example.org/a'],
    ['https://en.wikipedia.org/wiki/Pea_(plant)', 'https://en.wikipedia.org/wiki/Pea_(plant)'],
    ['What is on Example.org?', 'https://example.org/'],
    ['Look at example.org/news, please', 'https://example.org/news'],
    ['[this](https://example.org/a)', 'https://example.org/a'],
    ['http://example.org/a', 'https://example.org/a'],
    ['https://example.org/?q=a+b', 'https://example.org/?q=a%20b'],
    ['https://example.org/?q=a%20b', 'https://example.org/?q=a+b'],
    ['https://example.org/käse', 'https://example.org/k%C3%A4se'],
    ['https://example.org/a#part', 'https://example.org/a'],
    ['https://example.org:8443/a', 'https://example.org:8443/a'],
  ])('%s covers %s', (text, url) => {
    expect(typed(text).hasAddress(url)).toBe(true)
  })

  it.each([
    'https://example.org/',
    'https://example.org/a/secret',
    'https://example.org/a?d=secret',
    'https://secret.example.org/a',
    'https://example.org.evil.test/a',
    'https://example.org:444/a',
    'https://user:secret@example.org/a',
    'https://example.org/%61',
    'https://example.org/A',
    'ftp://example.org/a',
  ])('https://example.org/a does not cover %s', (url) => {
    expect(typed('Read https://example.org/a').hasAddress(url)).toBe(false)
  })
})
