import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askedTerms, runFit, toyVault } from '../../../../test/samples/toy-vault.js'
import { IndexCorrupt } from '../index-store.js'
import { fitLsa } from './fit-lsa.js'
import { decodeModel, encodeModel, type LsaModel } from './lsa-model.js'
import { projectQuery } from './project-into-model.js'

const model = runFit(fitLsa(toyVault(20, 4)))

describe('a model as a blob', () => {
  it('comes back exactly as it was', () => {
    const back = decodeModel(encodeModel(model))
    expect(spelledOut(back)).toEqual(model)
    const query = askedTerms([['word3', 2]])
    expect(projectQuery(back, query)).toEqual(projectQuery(model, query))
  })

  it('supports any words and any number of them', () => {
    const unit = fc.string({ unit: 'binary', maxLength: 12 })
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.oneof(unit, fc.constant('\ud83d'))),
        fc.integer({ min: 1, max: 9 }),
        (id, terms, dimension) => {
          const ones = new Float32Array(terms.length).fill(1)
          const vectors = new Int8Array(terms.length * dimension).fill(3)
          const written: LsaModel = { id, dimension, terms, idf: ones, vectors, scales: ones }
          expect(spelledOut(decodeModel(encodeModel(written)))).toEqual(written)
        },
      ),
    )
  })

  it('is read at any offset in a larger buffer', () => {
    const bytes = encodeModel(model)
    for (const at of [1, 2, 3, 4]) {
      const larger = new Uint8Array(bytes.length + 8)
      larger.set(bytes, at)
      expect(spelledOut(decodeModel(larger.subarray(at, at + bytes.length)))).toEqual(model)
    }
  })

  it('is rejected as corrupt when cut short or extended', () => {
    const bytes = encodeModel(model)
    for (let length = 0; length < bytes.length; length += length < 200 ? 1 : 97) {
      expect(() => decodeModel(bytes.subarray(0, length))).toThrow(IndexCorrupt)
    }
    expect(() => decodeModel(Uint8Array.of(...bytes, 0))).toThrow(IndexCorrupt)
  })

  it('is rejected or usable, whatever bytes were changed', () => {
    const bytes = encodeModel(model)
    const change = fc.tuple(fc.oneof(fc.nat(40), fc.nat(bytes.length - 1)), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const damaged = bytes.slice()
        for (const [at, value] of changes) damaged[at] = value
        let read: LsaModel
        try {
          read = decodeModel(damaged)
        } catch (error) {
          expect(error).toBeInstanceOf(IndexCorrupt)
          return
        }
        const { vector } = projectQuery(
          read,
          askedTerms([...read.terms].slice(0, 30).map((term) => [term, 1] as const)),
        )
        expect(vector.scale).toBeGreaterThanOrEqual(0)
        expect(vector.scale).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('is rejected when it is something else of the same size', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => decodeModel(bytes)).toThrow(IndexCorrupt)
      }),
    )
  })
})

const spelledOut = (model: LsaModel) => ({ ...model, terms: [...model.terms] })
