import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonLine, visibleLine, visibleText } from './visible-text.js'

const obeyed = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/
const nasty = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: 0x2100 }), fc.integer({ min: 0, max: 0xffff }))
    .map((code) => String.fromCharCode(code)),
})

describe('text for a terminal', () => {
  it('shows an escape sequence instead of obeying it', () => {
    expect(visibleText('\x1b]52;c;ZXZpbA==\x07')).toBe('⟦U+001B⟧]52;c;ZXZpbA==⟦U+0007⟧')
    expect(visibleText('\x9b2J')).toBe('⟦U+009B⟧2J')
    expect(visibleText('gnp.\u202ednammoc')).toBe('gnp.⟦U+202E⟧dnammoc')
    expect(visibleText('\r<- overwritten')).toBe('⟦U+000D⟧<- overwritten')
  })

  it('leaves ordinary text of every language alone', () => {
    for (const text of ['Füße', '番茄 汤', 'حديقة', '👩‍🌾 plants', 'a\tb\nc']) expect(visibleText(text)).toBe(text)
  })

  it('never lets a character through that a terminal would obey', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(visibleText(text)).not.toMatch(obeyed)
        expect(visibleLine(text)).not.toMatch(/[\n\t\u0085]/)
        expect(visibleText(text)).not.toMatch(/\p{Surrogate}/u)
      }),
    )
  })
})

describe('JSON for scripts', () => {
  it('says exactly the same and holds nothing a terminal would obey', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const line = jsonLine({ [text]: [text] })
        expect(line).not.toMatch(obeyed)
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ [text]: [text] })))
      }),
    )
  })

  it('is a single line unless indented', () => {
    expect(jsonLine({ a: 'x\ny\u2028' })).toBe('{"a":"x\\ny\\u2028"}')
  })
})
