import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeNote, isText } from './note-text.js'
import { isPrivateNote } from './private-note.js'

const encodings = { 'utf-8': utf8, 'utf-16le': utf16(true), 'utf-16be': utf16(false) } as const
/** Typical prose: whole characters, no control characters. */
const letters = [...'the quick brown fox äöüß éèà жизнь 苹果 和 面包 りんご 🍎\n- [[Link]] #tag']
const prose = fc.array(fc.constantFrom(...letters), { minLength: 1 }).map((drawn) => drawn.join(''))

describe('decoding a note', () => {
  it('reads UTF-8, and UTF-16 either way round with its byte order mark', () => {
    fc.assert(
      fc.property(prose, (text) => {
        for (const [encoding, encode] of Object.entries(encodings)) {
          const marked = `\uFEFF${text}`
          expect(decodeNote(encode(marked))).toEqual({ text: marked, encoding })
          expect(isText(decodeNote(encode(marked)))).toBe(true)
        }
      }),
    )
  })

  it('gives the text of a note that was cut, and says that it is not whole', () => {
    const cut = utf16(true)('\uFEFF---\nprivate: true\n---\n🍎').subarray(0, -1)
    expect(decodeNote(cut)).toMatchObject({ text: expect.stringMatching(/private: true/), encoding: 'invalid' })
  })

  it('answers for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void isText(decodeNote(bytes))))
  })
})

describe('what is text', () => {
  it('is not made of random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 400, maxLength: 400, max: 255 }), (bytes) => {
        // Small values come up often, so they are spread over all bytes.
        const spread = bytes.map((byte, at) => (byte * 167 + at * 59 + (at >> 3) * 13) & 255)
        spread[0] = 0x80
        expect(isText(decodeNote(spread))).toBe(false)
      }),
    )
  })

  it.each([
    ['English', 'The quick brown fox jumps over the lazy dog.\n'],
    ['Russian', 'Жизнь прожить не поле перейти.\n'],
    ['Greek', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.\n'],
  ])('is not UTF-16 without its byte order mark: %s', (_, text) => {
    expect(isText(decodeNote(utf16(true)(text.repeat(5))))).toBe(false)
    expect(isText(decodeNote(utf16(false)(text.repeat(5))))).toBe(false)
  })

  it('is an old note with some letters in another code page, and one with a stray zero', () => {
    const latin1 = Uint8Array.from('Die Äpfel schmecken süß, die Möhren nicht. '.repeat(3), (letter) =>
      letter.charCodeAt(0),
    )
    expect(decodeNote(latin1).encoding).toBe('invalid')
    expect(isText(decodeNote(latin1))).toBe(true)
    expect(isText(decodeNote(utf8('A note with one \0 in it.')))).toBe(true)
    expect(isText(decodeNote(new Uint8Array(100)))).toBe(false)
    expect(isText(decodeNote(new Uint8Array()))).toBe(true)
  })
})

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function utf16(isLittle: boolean): (text: string) => Uint8Array {
  return (text) => {
    const view = new DataView(new ArrayBuffer(text.length * 2))
    for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle)
    return new Uint8Array(view.buffer)
  }
}

describe('isPrivateNote', () => {
  it.each([
    '---\nprivate: true\n---\n',
    '\uFEFF---\r\ntitle: x\r\nPrivate: "true"\r\n---\r\n',
    '---\n"priv\\u0061te": true\n---\n',
    '---\nnote: |\n  ---not a fence\nprivate: true\n---\n',
    '---\nprivate: true\nbroken: [\n---\n',
  ])('hides %j', (text) => expect(isPrivateNote(text)).toBe(true))

  it.each([
    'private: true',
    '---\nprivate: false\n---\n',
    '---\ntitle: private: true\n---\n',
    '---\ntags: [private]\n---\nprivate: true',
    '---\nunclosed\nprivate: true\n',
    '\n---\nprivate: true\n---\n',
  ])('shows %j', (text) => expect(isPrivateNote(text)).toBe(false))
})
