import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleUnits, shouldRefit } from './growth.js'

describe('a model is fitted anew', () => {
  const fitted = { fittedUnits: 2000, unitsAtFit: 2000, addedOrRemovedSinceFit: 0, units: 2000 }

  it('when there is none and the vault is large enough for one', () => {
    const none = { fittedUnits: 0, unitsAtFit: 0, addedOrRemovedSinceFit: 0 }
    expect(shouldRefit({ ...none, units: 63 })).toBe(false)
    expect(shouldRefit({ ...none, units: 64 })).toBe(true)
  })

  it('when more units came or went than it was fitted on', () => {
    expect(shouldRefit({ ...fitted, addedOrRemovedSinceFit: 2000 })).toBe(false)
    expect(shouldRefit({ ...fitted, addedOrRemovedSinceFit: 2001 })).toBe(true)
    expect(shouldRefit({ fittedUnits: 10_000, unitsAtFit: 90_000, addedOrRemovedSinceFit: 9000, units: 99_000 })).toBe(
      false,
    )
  })

  it('when a young vault passes 256 and 1024 units', () => {
    const young = { fittedUnits: 250, unitsAtFit: 250, addedOrRemovedSinceFit: 5 }
    expect(shouldRefit({ ...young, units: 255 })).toBe(false)
    expect(shouldRefit({ ...young, units: 256 })).toBe(true)
    expect(shouldRefit({ fittedUnits: 1000, unitsAtFit: 1000, addedOrRemovedSinceFit: 24, units: 1024 })).toBe(true)
    expect(shouldRefit({ fittedUnits: 1030, unitsAtFit: 1030, addedOrRemovedSinceFit: 30, units: 1000 })).toBe(false)
  })

  it('never while the vault is too small, whatever happened to it', () => {
    expect(shouldRefit({ ...fitted, addedOrRemovedSinceFit: 5000, units: 10 })).toBe(false)
  })
})

describe('a sample of units', () => {
  it('is all of them while there are few', () => {
    expect([...sampleUnits(5, 10, 1)]).toEqual([0, 1, 2, 3, 4])
    expect([...sampleUnits(0, 10, 1)]).toEqual([])
  })

  it('has exactly the size asked for, ascending, without repeats, and depends on the seed alone', () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(500), fc.integer(), (count, limit, seed) => {
        const sample = [...sampleUnits(count, limit, seed)]
        expect(sample).toHaveLength(Math.min(count, limit))
        sample.forEach((unit, i) => {
          expect(unit).toBeGreaterThan(i === 0 ? -1 : sample[i - 1])
          expect(unit).toBeLessThan(count)
        })
        expect([...sampleUnits(count, limit, seed)]).toEqual(sample)
      }),
    )
    expect([...sampleUnits(3000, 100, 1)]).not.toEqual([...sampleUnits(3000, 100, 2)])
  })

  it('favours no part of the vault', () => {
    const half = [...sampleUnits(100_000, 10_000, 5)].filter((unit) => unit < 50_000).length
    expect(Math.abs(half - 5000)).toBeLessThan(300)
  })
})
