import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notePath } from '../vault/index.js'
import { addStamp, emptyListing, type ListingSum, summing, takeStamp } from './listing-sum.js'

const stamp = fc.record({
  path: fc.stringMatching(/^[a-z]{1,8}$/).map((name) => notePath(`${name}.md`)),
  size: fc.nat(),
  mtimeMs: fc.double({ min: 0, max: 2e12, noNaN: true }),
  ctimeMs: fc.double({ min: 0, max: 2e12, noNaN: true }),
})

describe('the sum of a listing', () => {
  it('is the same in any order', () => {
    fc.assert(
      fc.property(fc.array(stamp), (stamps) => {
        expect(listingSum([...stamps].reverse())).toEqual(listingSum(stamps))
      }),
    )
  })

  it('comes back to what it was when a file is added and taken away', () => {
    fc.assert(
      fc.property(fc.array(stamp), stamp, (stamps, one) => {
        const sum = listingSum(stamps)
        expect(takeStamp(addStamp(sum, one), one)).toEqual(sum)
      }),
    )
  })

  it('changes with every part of a stamp', () => {
    const one = { path: notePath('a.md'), size: 1, mtimeMs: 2.5, ctimeMs: 3 }
    const others = [{ path: notePath('b.md') }, { size: 2 }, { mtimeMs: 2.25 }, { ctimeMs: 4 }]
    for (const other of others) expect(listingSum([{ ...one, ...other }])).not.toEqual(addStamp(emptyListing, one))
  })
})

function listingSum(stamps: Parameters<typeof takeStamp>[1][]): ListingSum {
  const sum = summing()
  for (const stamp of stamps) sum.add(stamp)
  return sum.sum()
}
