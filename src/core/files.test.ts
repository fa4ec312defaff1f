import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pngOf, sampleFiles } from '../../test/samples/sample-files.js'
import { base64, readAttachedFiles } from './files.js'

describe('readAttachedFiles', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  it('separates texts from pictures and PDFs', () => {
    const read = readAttachedFiles([
      { name: 'a.txt', bytes: bytes('Late frost.') },
      { name: 'b.bin', bytes: sampleFiles.gif },
    ])
    expect(read.texts).toEqual([{ name: 'a.txt', text: 'Late frost.' }])
    expect(read.seen.map(({ name, facts }) => [name, facts.kind])).toEqual([['b.bin', 'image']])
  })

  it.each([
    ['an empty file', [new Uint8Array()], 'invalid-input', 'f0 is empty.'],
    ['a file of another kind', [Uint8Array.of(1, 0, 2, 0xff, 0xfe)], 'not-utf8', 'neither text nor a picture'],
    ['too much text', [bytes('x'.repeat(399_999)), bytes('xx')], 'too-large', 'attached texts would be 400 kB'],
    ['too much together', [pngOf(9, 9, 11e6), pngOf(9, 8, 11e6)], 'too-large', 'attached files would be 22.0 MB'],
  ])('fails for %s', (_what, files, code, words) => {
    const given = files.map((content, at) => ({ name: `f${at}`, bytes: content }))
    expect(() => readAttachedFiles(given)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) }),
    )
  })
})

describe('base64', () => {
  it('gives the same as Buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
      }),
    )
    const long = new Uint8Array(100_001).map((_, at) => at % 251)
    expect(base64(long)).toBe(Buffer.from(long).toString('base64'))
  })
})
