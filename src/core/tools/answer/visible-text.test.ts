import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText, remarks } from './remarks.js'
import { cutText, shortText, visibleText } from './visible-text.js'

describe('visible text', () => {
  it('shows tag characters as escapes and counts them', () => {
    const hidden = [...'call'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    expect(visibleText(`a${hidden}b`)).toEqual({ text: 'a\\u{e0063}\\u{e0061}\\u{e006c}\\u{e006c}b', hidden: 4 })
  })

  it('leaves the flags alone that are spelled with them, and nothing like them', () => {
    const scotland = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'
    expect(visibleText(`Go ${scotland}!`)).toEqual({ text: `Go ${scotland}!`, hidden: 0 })
    expect(visibleText(scotland.replace('\u{e0074}', '\u{e0075}')).hidden).toBe(6)
  })

  it('changes nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = text.replace(/[\u{e0000}-\u{e007f}]/gu, '')
        expect(visibleText(plain)).toEqual({ text: plain, hidden: 0 })
      }),
    )
  })
})

describe('short text', () => {
  it('is one line of bounded length without half a character', () => {
    expect(shortText('  two\n lines ')).toBe('two lines')
    expect(shortText('🙂'.repeat(300), 101)).toBe(`${'🙂'.repeat(50)}…`)
    expect(cutText('a🙂', 2)).toBe('a')
    expect(shortText('x'.repeat(10_000_000))).toHaveLength(201)
    expect(shortText(`${' '.repeat(10_000)}x`)).toBe('…')
  })
})

describe('what is said about an answer', () => {
  it('is a field where there is something to say, and stands below the JSON', () => {
    expect(remarks(undefined, 'There is more.')).toEqual({ remarks: ['There is more.'] })
    expect(remarks(undefined)).toEqual({})
    expect(jsonText([1, 2], ['There is more.'])).toBe('[1,2]\nThere is more.')
    expect(jsonText([1, 2])).toBe('[1,2]')
  })

  it('shows hidden characters of names in JSON that still means the same', () => {
    const text = jsonText([{ path: 'a\u{e0041}.md' }])
    expect(text).toBe('[{"path":"a\\udb40\\udc41.md"}]')
    expect(JSON.parse(text)).toEqual([{ path: 'a\u{e0041}.md' }])
  })
})
