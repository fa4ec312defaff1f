import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsToMerge } from './compact.js'

const alive = (...sizes: number[]) => sizes.map((size) => ({ live: size, all: size }))

describe('the choice of segments to merge', () => {
  it('leaves a few segments alone', () => {
    expect(segmentsToMerge(alive(5000, 3, 2, 1))).toEqual([])
  })

  it('merges the small ones if there are too many, but not one that outweighs them', () => {
    const small = [3, 2, 1, 5, 4, 6, 7, 8, 9, 10, 11, 12]
    expect(segmentsToMerge(alive(100_000, ...small))).toEqual(small.map((_, at) => at + 1))
  })

  it('rewrites a segment that is mostly dead', () => {
    expect(segmentsToMerge([...alive(100), { live: 60, all: 100 }])).toEqual([1])
  })

  it('never merges large segments, however many there are', () => {
    expect(segmentsToMerge(alive(...Array(30).fill(7_000_000)))).toEqual([])
  })

  it('rewrites each word only a few times while a vault grows note by note', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 50, max: 1000 }), { minLength: 300, maxLength: 300 }), (notes) => {
        let segments: number[] = []
        let rewritten = 0
        for (const note of notes) {
          segments.push(note)
          const chosen = new Set(segmentsToMerge(alive(...segments)))
          if (chosen.size === 0) continue
          const merged = segments.filter((_, at) => chosen.has(at)).reduce((sum, size) => sum + size, 0)
          segments = [...segments.filter((_, at) => !chosen.has(at)), merged]
          rewritten += merged
        }
        expect(segments.length).toBeLessThanOrEqual(12)
        expect(rewritten / notes.reduce((sum, size) => sum + size, 0)).toBeLessThan(12)
      }),
      { numRuns: 20 },
    )
  })
})
