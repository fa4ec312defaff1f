import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../errors.js'
import { base64, fileFacts, fileWords, mostBytes, readGivenFiles } from './index.js'
import { pngOf, sampleFiles } from './testing/sample-files.js'

const kinds = Object.entries(sampleFiles)

describe('a file', () => {
  it.each([
    ['png', 'image/png', 'PNG picture, 1 × 1'],
    ['jpeg', 'image/jpeg', 'JPEG picture, 1 × 1'],
    ['gif', 'image/gif', 'GIF picture, 1 × 1'],
    ['webp', 'image/webp', 'WebP picture, 1 × 1'],
    ['pdf', 'application/pdf', 'PDF, 1 page'],
  ] as const)('is a %s by its bytes, whatever it is called', (kind, mediaType, words) => {
    const facts = fileFacts('notes.txt', sampleFiles[kind])!
    expect(facts).toMatchObject({ mediaType, size: sampleFiles[kind].length, hash: expect.stringMatching(/^\w{64}$/) })
    expect(fileWords(facts)).toBe(words)
  })

  it('is damaged when its end is missing, and says so', () => {
    for (const [kind, bytes] of kinds) {
      for (const length of [13, bytes.length >> 1, bytes.length - 7]) {
        const cut = () => fileFacts(`a.${kind}`, bytes.subarray(0, length))
        expect(cut).toThrow(/^a\.\w+ is a damaged or incomplete/)
      }
    }
  })

  it('of any bytes is something, nothing, or a failure that can be told', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 60 }), fc.nat(40), ([, bytes], noise, at) => {
        const mixed = Uint8Array.from([...bytes.subarray(0, at), ...noise])
        try {
          const facts = fileFacts('x', mixed)
          if (facts !== undefined) expect(facts.tokens).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }),
    )
  })

  it('takes more of the window the more dots it has, up to what providers make of it', () => {
    const tokens = (width: number, height: number) => fileFacts('a.png', pngOf(width, height))!.tokens
    expect(tokens(1, 1)).toBe(100)
    expect(tokens(600, 500)).toBe(400)
    expect(tokens(8000, 6000)).toBe(1600)
    expect(tokens(8000, 10)).toBe(100)
  })

  it('is too large above its limit', () => {
    const large = pngOf(10, 10, mostBytes.image)
    expect(() => fileFacts('a.png', large)).toThrow('a.png has 20.0 MB; a picture may have 20.0 MB.')
  })

  it('is written for a request as every platform writes it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
      }),
    )
    const long = new Uint8Array(100_001).map((_, at) => at % 251)
    expect(base64(long)).toBe(Buffer.from(long).toString('base64'))
  })
})

describe('files that a person hands over', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  it('are told apart: texts, and what a model looks at', () => {
    const read = readGivenFiles([
      { name: 'a.txt', bytes: bytes('Late frost.') },
      { name: 'b.bin', bytes: sampleFiles.gif },
    ])
    expect(read.texts).toEqual([{ name: 'a.txt', text: 'Late frost.' }])
    expect(read.seen.map(({ name, facts }) => [name, facts.kind])).toEqual([['b.bin', 'image']])
  })

  it.each([
    ['an empty one', [new Uint8Array()], 'invalid-input', 'f0 is empty.'],
    ['what is none of these', [Uint8Array.of(1, 0, 2, 0xff, 0xfe)], 'not-utf8', 'neither text nor a picture'],
    ['too much text', [bytes('x'.repeat(399_999)), bytes('xx')], 'too-large', 'attached texts have 400 kB'],
    ['too much together', [pngOf(9, 9, 11e6), pngOf(9, 8, 11e6)], 'too-large', 'attached files have 22.0 MB'],
  ])('fail with %s', (_what, files, code, words) => {
    const given = files.map((content, at) => ({ name: `f${at}`, bytes: content }))
    expect(() => readGivenFiles(given)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) }),
    )
  })
})
