import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joinImage, type KeptImage, placeImages } from './kept-images.js'

it('gives back every image from what was written of it, and writes only what two of them do not share', () => {
  const piece = fc.string({ maxLength: 6, unit: fc.constantFrom('a', 'b') })
  fc.assert(
    fc.property(piece, piece, piece, piece, (start, before, after, end) => {
      const images = new Map<string, KeptImage>([
        ['before', { bytes: Buffer.from(start + before + end) }],
        ['after', { bytes: Buffer.from(start + after + end), like: 'before' }],
      ])
      const { places, parts } = placeImages(images)
      const [[, , length], [, offset, middle, rest]] = places
      const written = Buffer.concat(parts)
      const [, shared, tail] = rest!
      const joined = joinImage(written.subarray(offset, offset + middle), written.subarray(0, length), shared, tail)
      expect(Buffer.from(joined).toString()).toBe(start + after + end)
      expect(middle).toBeLessThanOrEqual(after.length)
    }),
  )
})
