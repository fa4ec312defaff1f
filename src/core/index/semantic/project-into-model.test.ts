import { describe, expect, it } from 'vitest'
import { askedTerms, runFit, toyVault } from '../../../../test/samples/toy-vault.js'
import { fitLsa } from './fit-lsa.js'
import { type LsaModel, lookupTerm } from './lsa-model.js'
import { modelCoverage, projectQuery, projectUnit } from './project-into-model.js'

const model = runFit(fitLsa(toyVault(32, 8)))

describe('projecting into a model', () => {
  it('gives a unit the direction of its weighted terms', () => {
    const terms = Int32Array.of(3, 50, 51, 120)
    const counts = Uint16Array.of(1, 4, 300, 2)
    const out = new Int8Array(model.dimension)
    const scale = projectUnit(model, terms, counts, terms.length, out, 0)
    const exact = exactly(model, terms, counts)
    const cosine = exact.reduce((sum, value, i) => sum + value * out[i] * scale, 0) / Math.hypot(...exact)
    expect(cosine).toBeGreaterThan(0.9995)
  })

  it('skips unknown terms and everything beyond the length', () => {
    const plain = fold([3, 50], [1, 2], 2)
    expect(fold([-1, 3, model.terms.length, 50], [9, 1, 9, 2], 4)).toEqual(plain)
    expect(fold([3, 50, 77], [1, 2, 5], 2)).toEqual(plain)
    expect(fold([3, 50, 77], [1, 2, 0], 3)).toEqual(plain)
  })

  it('writes only at the given offset', () => {
    const out = new Int8Array(model.dimension * 3).fill(99)
    projectUnit(model, Int32Array.of(3, 50), Int32Array.of(1, 2), 2, out, model.dimension)
    expect(out.slice(model.dimension, 2 * model.dimension)).toEqual(fold([3, 50], [1, 2], 2).out)
    expect(out.slice(0, model.dimension)).toEqual(new Int8Array(model.dimension).fill(99))
    expect(out.slice(2 * model.dimension)).toEqual(new Int8Array(model.dimension).fill(99))
  })

  it('returns scale 0 and zeros for a unit without known terms', () => {
    expect(fold([], [], 0)).toEqual({ out: new Int8Array(model.dimension), scale: 0 })
    expect(fold([-1], [5], 1)).toEqual({ out: new Int8Array(model.dimension), scale: 0 })
  })

  it('projects a unit of every term with the largest counts without overflow', () => {
    const terms = Int32Array.from(model.terms, (_, i) => i)
    const counts = new Uint16Array(terms.length).fill(65_535)
    const { out, scale } = fold([...terms], [...counts], terms.length)
    const exact = exactly(model, terms, counts)
    const cosine = exact.reduce((sum, value, i) => sum + value * out[i] * scale, 0) / Math.hypot(...exact)
    expect(cosine).toBeGreaterThan(0.9995)
  })

  it('projects a query like a unit, and reports an unknown query as empty', () => {
    const { vector, empty } = projectQuery(
      model,
      askedTerms([
        ['word7', 2],
        ['nowhere', 1],
      ]),
    )
    expect(empty).toBe(false)
    expect(vector).toMatchObject({ model: model.id, dimension: model.dimension })
    expect(vector.values).toEqual(fold([lookupTerm(model, 'word7')], [2], 1).out)
    expect(projectQuery(model, askedTerms([['nowhere', 1]]))).toMatchObject({ empty: true, vector: { scale: 0 } })
    expect(projectQuery(model, []).empty).toBe(true)
  })

  it('finds a stem only by its exact spelling', () => {
    expect(lookupTerm(model, 'word7')).toBe([...model.terms].indexOf('word7'))
    for (const name of ['Word7', '', 'constructor', '__proto__']) expect(lookupTerm(model, name)).toBe(-1)
  })
})

function fold(terms: number[], counts: number[], length: number): { out: Int8Array; scale: number } {
  const out = new Int8Array(model.dimension)
  return { out, scale: projectUnit(model, Int32Array.from(terms), Int32Array.from(counts), length, out, 0) }
}

function exactly({ vectors, scales, idf, dimension }: LsaModel, terms: Int32Array, counts: Uint16Array): number[] {
  return Array.from({ length: dimension }, (_, column) =>
    terms.reduce((sum, term, i) => {
      return sum + (1 + Math.log(counts[i])) * idf[term] * scales[term] * vectors[term * dimension + column]
    }, 0),
  )
}

/** Two directions; `rope` and `sail` are well represented, `knot` hardly. */
const twoTermModel: LsaModel = {
  id: 'm',
  dimension: 2,
  terms: ['knot', 'rope', 'sail'],
  idf: new Float32Array([2, 1, 1]),
  vectors: new Int8Array([0, 1, 100, 0, 0, 100]),
  scales: new Float32Array([0.01, 0.01, 0.01]),
}
const known = (...words: string[]) => modelCoverage(twoTermModel, askedTerms(words.map((word) => [word, 1])), 20)

describe('modelCoverage', () => {
  it('is lower for words the model covers less, and zero for unknown words', () => {
    expect(known('rope', 'sail')).toBeGreaterThan(known('rope', 'knot'))
    expect(known('rope', 'sail')).toBeGreaterThan(known('rope', 'a4711'))
    expect(known('a4711')).toBe(0)
    expect(known()).toBe(0)
  })

  it('is lower for one word than for several', () => {
    expect(known('rope', 'sail')).toBeGreaterThan(known('rope'))
  })
})
