import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naturalLog } from './portable-math.js'

it('agrees with the built-in logarithm to the last digits', () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1e12, noNaN: true }), (value) => {
      expect(Math.abs(naturalLog(value) - Math.log(value))).toBeLessThanOrEqual(1e-14)
    }),
  )
  expect(naturalLog(1)).toBe(0)
})
