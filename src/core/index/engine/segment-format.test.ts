import fc from 'fast-check'
import { expect, it } from 'vitest'
import { VarintReader, VarintWriter, varintSize, writeVarint } from './segment-format.js'

const numbers = fc.array(fc.integer({ min: 0, max: 0xffff_ffff }))

it('reads back every list of numbers, in the announced number of bytes', () => {
  fc.assert(
    fc.property(numbers, (row) => {
      const writer = new VarintWriter(1)
      for (const value of row) writer.push(value)
      expect(writer.length).toBe(row.reduce((sum, value) => sum + varintSize(value), 0))
      const reader = new VarintReader(writer.bytes, 0)
      expect(row.map(() => reader.next())).toEqual(row)
      const bytes = new Uint8Array(writer.length)
      let at = 0
      for (const value of row) at = writeVarint(bytes, at, value)
      expect(bytes).toEqual(writer.bytes.slice(0, writer.length))
    }),
  )
})
