import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addStamp, emptyListing, fileHashes, folderHashes, type ListingSum, summing, takeStamp } from './listing-sum.js'
import { notePath } from './note-path.js'
import type { FileStamp } from './vault.js'

const stamp = fc.record({
  path: fc.stringMatching(/^(?:[a-z]{1,3}\/){0,2}[a-z]{1,8}$/).map((name) => notePath(`${name}.md`)),
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

  it('is restored when a file is added and removed again', () => {
    fc.assert(
      fc.property(fc.array(stamp), stamp, (stamps, one) => {
        const sum = listingSum(stamps)
        expect(takeStamp(addStamp(sum, one), one)).toEqual(sum)
      }),
    )
  })

  it('is the same for files that are met folder by folder', () => {
    const sum = summing()
    for (const [folder, name] of [
      ['', 'a.md'],
      ['b/c', 'd.md'],
      ['', 'e.md'],
    ]) {
      sum.add(fileHashes(folderHashes(folder), name, { size: 1, mtimeMs: 2.5, ctimeMs: 3 }))
    }
    const stamps = ['a.md', 'b/c/d.md', 'e.md'].map((path) => ({
      path: notePath(path),
      size: 1,
      mtimeMs: 2.5,
      ctimeMs: 3,
    }))
    expect(sum.sum()).toEqual(listingSum(stamps))
  })

  it('takes names of any length and script', () => {
    const names = [
      'é',
      'e\u0301',
      '東京',
      '東',
      '\u0000',
      '',
      'a'.repeat(5000),
      'a'.repeat(5001),
      `${'東'.repeat(5000)}x`,
    ]
    const lanes = names.map((name) => fileHashes(folderHashes(''), name, { size: 1, mtimeMs: 2, ctimeMs: 3 }))
    expect(new Set(lanes.map(({ a, b }) => `${a} ${b}`))).toHaveLength(names.length)
  })

  it('changes with every part of a stamp', () => {
    const one = { path: notePath('ab/c.md'), size: 1, mtimeMs: 2.5, ctimeMs: 3 }
    const paths = ['ab/b.md', 'a/c.md', 'a/bc.md', 'abc.md', 'c.md', 'ab/c/.md'].map((path) => ({
      path: path as FileStamp['path'],
    }))
    const others: Partial<FileStamp>[] = [...paths, { size: 2 }, { mtimeMs: 2.25 }, { ctimeMs: 4 }]
    for (const other of others) expect(listingSum([{ ...one, ...other }])).not.toEqual(listingSum([one]))
  })
})

function listingSum(stamps: FileStamp[]): ListingSum {
  return stamps.reduce(addStamp, emptyListing)
}
