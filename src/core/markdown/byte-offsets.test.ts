import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteOffsets } from './byte-offsets.js'

describe('byteOffsets', () => {
  it('maps every offset between characters to the length of what stands before it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'é', '漢', '🙂', '\n', '\ufeff', 'x'.repeat(700)), { maxLength: 12 }),
        (parts) => {
          const text = parts.join('')
          const byteOffset = byteOffsets(text)
          for (let offset = 0; offset <= text.length; offset++) {
            if (/^[\ud800-\udbff]$/.test(text[offset - 1] ?? '')) continue
            expect(byteOffset(offset)).toBe(new TextEncoder().encode(text.slice(0, offset)).length)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('counts a lone surrogate as the three bytes it is written as', () => {
    const text = 'é\ud800x\udc00y'
    expect(byteOffsets(text)(text.length)).toBe(new TextEncoder().encode(text).length)
  })
})
