import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { askedTerms, eigenvectors, fitInput, runFit, toyVault } from '../../../../test/samples/toy-vault.js'
import { type FitInput, fitLsa, sampleUnits, selectTerms, shouldRefit, vocabularyLimit } from './fit-lsa.js'
import { encodeModel, type LsaModel, lookupTerm } from './lsa-model.js'
import { projectQuery, projectUnit } from './project-into-model.js'
import { openVectors, packVectors } from './vector-block.js'

describe('a fit', () => {
  it('finds the space of the exact singular value decomposition', () => {
    // Twenty subjects and dimension 80 / 4 = 20: the spectrum has its gap where the model is cut.
    const input = toyVault(20, 4)
    const model = runFit(fitLsa(input))
    expect(model.dimension).toBe(20)
    const vectors = projectAll(model, input)
    const exact = exactVectors(input, model)
    for (let i = 0; i < vectors.length; i++) {
      for (let j = 0; j < i; j++) {
        expect(Math.abs(cosine(vectors[i], vectors[j]) - cosine(exact[i], exact[j]))).toBeLessThan(0.03)
      }
    }
  })

  it('places words near those they occur with', () => {
    const model = runFit(fitLsa(toyVault(20, 4)))
    const scores = (word: string) => {
      const query = projectQuery(model, askedTerms([[word, 1]])).vector
      return (other: string) => blockOf(model, other).dotAt(query, 0)
    }
    expect(scores('word0')('word1')).toBeGreaterThan(0.5)
    expect(Math.abs(scores('word0')('word60'))).toBeLessThan(0.3)
  })

  it('is deterministic, and different for another seed', () => {
    const input = toyVault(20, 10)
    const first = encodeModel(runFit(fitLsa(input)))
    expect(encodeModel(runFit(fitLsa(input)))).toEqual(first)
    expect(runFit(fitLsa({ ...input, seed: 2 })).id).not.toBe(runFit(fitLsa({ ...input, seed: 3 })).id)
  })

  it('reports progress from 0 to 1 that never decreases', () => {
    const seen = [...fitLsa(toyVault(20, 10))]
    expect(seen.length).toBeGreaterThan(10)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(seen[0]).toBeGreaterThanOrEqual(0)
    expect(seen[seen.length - 1]).toBeLessThanOrEqual(1)
  })

  it('takes its dimension from the vault: a quarter of the units, at least 16, at most 128, never beyond the rank', () => {
    expect(runFit(fitLsa(toyVault(10, 4))).dimension).toBe(16)
    expect(runFit(fitLsa(toyVault(20, 10))).dimension).toBe(50)
    expect(runFit(fitLsa({ ...toyVault(40, 10), unitCount: 90_000 })).dimension).toBe(128)
    expect(runFit(fitLsa({ ...toyVault(1, 30), unitCount: 100 })).dimension).toBe(6)
  })

  it('weights a sample with the frequencies of the whole vault', () => {
    const sample = toyVault(20, 4)
    const model = runFit(
      fitLsa({ ...sample, documentFrequency: sample.documentFrequency.map((n) => n * 10), unitCount: 800 }),
    )
    const term = lookupTerm(model, 'word5')
    expect(model.idf[term]).toBeCloseTo(Math.log(800 / (sample.documentFrequency[5] * 10)), 5)
  })

  it('gives a usable model for units that are all alike, all empty, or not there', () => {
    const same = fitInput(
      Array.from(
        { length: 80 },
        (_, i) =>
          new Map(
            i < 40
              ? [
                  [0, 1],
                  [1, 1],
                ]
              : [[2, 1]],
          ),
      ),
      ['a', 'b', 'c'],
    )
    const alike = runFit(fitLsa(same))
    const [first, second, , ...rest] = projectAll(alike, same)
    expect(cosine(first, second)).toBeCloseTo(1, 2)
    expect(cosine(first, rest[rest.length - 1])).toBeCloseTo(0, 2)

    for (const input of [
      fitInput([], []),
      fitInput(
        Array.from({ length: 70 }, () => new Map()),
        ['a'],
      ),
    ]) {
      const model = runFit(fitLsa(input))
      expect([...model.terms]).toEqual([])
      expect(projectQuery(model, askedTerms([['a', 1]])).empty).toBe(true)
    }
  })
})

describe('a host without WebAssembly', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it('fits the same model and makes the same vectors, bit for bit', async () => {
    const input = toyVault(64, 6)
    const model = runFit(fitLsa(input))
    vi.stubGlobal('WebAssembly', undefined)
    vi.resetModules()
    const plain = { ...(await import('./fit-lsa.js')), ...(await import('./project-into-model.js')) }
    const other = runFit(plain.fitLsa(input))
    expect(other.id).toBe(model.id)
    expect(encodeModel(other)).toEqual(encodeModel(model))
    const query = askedTerms([
      ['word1', 3],
      ['word20', 1],
    ])
    expect(plain.projectQuery(other, query)).toEqual(projectQuery(model, query))
  })
})

function projectAll(model: LsaModel, { rows, terms }: FitInput): number[][] {
  return Array.from({ length: rows.rowStart.length - 1 }, (_, row) => {
    const span = [rows.rowStart[row], rows.rowStart[row + 1]] as const
    const numbers = rows.terms.slice(...span).map((term) => lookupTerm(model, terms[term]))
    const out = new Int8Array(model.dimension)
    projectUnit(model, numbers, rows.counts.slice(...span), numbers.length, out, 0)
    return [...out]
  })
}

/** The units in the space of the strongest right singular vectors of the weighted matrix. */
function exactVectors({ rows, terms, documentFrequency, unitCount }: FitInput, model: LsaModel): number[][] {
  const words = [...model.terms]
  const matrix = Array.from({ length: rows.rowStart.length - 1 }, (_, row) => {
    const weights = words.map(() => 0)
    for (let i = rows.rowStart[row]; i < rows.rowStart[row + 1]; i++) {
      const term = rows.terms[i]
      const column = words.indexOf(terms[term])
      if (column >= 0) weights[column] = (1 + Math.log(rows.counts[i])) * Math.log(unitCount / documentFrequency[term])
    }
    const length = Math.hypot(...weights)
    return weights.map((weight) => weight / length)
  })
  const gram = words.map((_, i) => words.map((_, j) => matrix.reduce((sum, row) => sum + row[i] * row[j], 0)))
  const axes = eigenvectors(gram).slice(0, model.dimension)
  return matrix.map((row) => axes.map((axis) => axis.reduce((sum, value, i) => sum + value * row[i], 0)))
}

function blockOf(model: LsaModel, word: string) {
  const { vector } = projectQuery(model, askedTerms([[word, 1]]))
  const { dimension, values, scale } = vector
  return openVectors(packVectors({ model: model.id, dimension, vectors: values, scales: Float32Array.of(scale) }))
}

function cosine(a: number[], b: number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0) / (Math.hypot(...a) * Math.hypot(...b))
}

describe('the terms of a model', () => {
  it('occur in at least two units and at most half of them, and stand in the order of their stems', () => {
    const terms = ['zebra', 'once', 'apple', 'always', 'half']
    expect([...selectTerms(terms, Int32Array.of(2, 1, 4, 9, 5), 10)]).toEqual([2, 4, 0])
  })

  it('are the most frequent ones when there are too many, ties going to the first stem', () => {
    const count = vocabularyLimit + 50
    const terms = Array.from({ length: count }, (_, i) => `t${String(count - i).padStart(6, '0')}`)
    const frequency = Int32Array.from(terms, (_, i) => (i < 20 ? 30 : 3))
    const chosen = [...selectTerms(terms, frequency, 100)]
    expect(chosen).toHaveLength(vocabularyLimit)
    // Stems run against the numbers, so among the ties the highest numbers win; the frequent ones are all in.
    expect(chosen.slice(0, 2)).toEqual([count - 1, count - 2])
    expect(chosen.slice(-20)).toEqual(Array.from({ length: 20 }, (_, i) => 19 - i))
  })

  it('are none in an empty vault', () => {
    expect(selectTerms([], new Int32Array(0), 0)).toHaveLength(0)
    expect(selectTerms(['a'], Int32Array.of(1), 1)).toHaveLength(0)
  })
})

describe('a model is refitted', () => {
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
  it('is all of them while they fit', () => {
    expect([...sampleUnits(5, 10, 1)]).toEqual([0, 1, 2, 3, 4])
    expect([...sampleUnits(0, 10, 1)]).toEqual([])
  })

  it('has exactly the requested size, ascending, without repeats, and depends only on the seed', () => {
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

  it('is distributed evenly over the vault', () => {
    const half = [...sampleUnits(100_000, 10_000, 5)].filter((unit) => unit < 50_000).length
    expect(Math.abs(half - 5000)).toBeLessThan(300)
  })
})
