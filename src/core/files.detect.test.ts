import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pngOf, sampleFiles } from '../../test/samples/sample-files.js'
import { Failure } from './errors.js'
import { describeFile, fileFacts, maxFileBytes } from './files.js'

const kinds = Object.entries(sampleFiles)

describe('fileFacts', () => {
  it.each([
    ['png', 'image/png', 'PNG picture, 1 × 1'],
    ['jpeg', 'image/jpeg', 'JPEG picture, 1 × 1'],
    ['gif', 'image/gif', 'GIF picture, 1 × 1'],
    ['webp', 'image/webp', 'WebP picture, 1 × 1'],
    ['pdf', 'application/pdf', 'PDF, 1 page'],
  ] as const)('detects a %s by its bytes, whatever its name', (kind, mediaType, words) => {
    const facts = fileFacts('notes.txt', sampleFiles[kind])!
    expect(facts).toMatchObject({ mediaType, size: sampleFiles[kind].length, hash: expect.stringMatching(/^\w{64}$/) })
    expect(describeFile(facts)).toBe(words)
  })

  it('fails for a file without its end', () => {
    for (const [kind, bytes] of kinds) {
      for (const length of [13, bytes.length >> 1, bytes.length - 7]) {
        const cut = () => fileFacts(`a.${kind}`, bytes.subarray(0, length))
        expect(cut).toThrow(/^a\.\w+ is a damaged or incomplete/)
      }
    }
  })

  it('gives facts, undefined or a Failure for any bytes', () => {
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

  it('estimates more tokens for more pixels, up to the size that providers scale to', () => {
    const tokens = (width: number, height: number) => fileFacts('a.png', pngOf(width, height))!.tokens
    expect(tokens(1, 1)).toBe(100)
    expect(tokens(600, 500)).toBe(400)
    expect(tokens(8000, 6000)).toBe(1600)
    expect(tokens(8000, 10)).toBe(100)
  })

  it('fails for a file above the limit', () => {
    const large = pngOf(10, 10, maxFileBytes.image)
    expect(() => fileFacts('a.png', large)).toThrow(
      'a.png is too large: it is 20.0 MB, and the limit for a picture is 20.0 MB.',
    )
  })
})
