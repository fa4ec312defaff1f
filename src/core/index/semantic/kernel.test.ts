import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startKernel } from './kernel.js'
import { kernelSource } from './kernel-bytes.js'
import type { LsaModel } from './lsa-model.js'
import { fillTransposed, kernelProduct, plainProduct, type SparseProduct } from './matrices.js'
import { kernelRowSum, plainRowSum } from './project-into-model.js'
import { plainScan, scan } from './vector-block.js'

const signedByte = fc.integer({ min: -128, max: 127 })

describe('the kernel', () => {
  it('is built from the current kernel.wat', () => {
    const source = readFileSync(new URL('./kernel.wat', import.meta.url))
    expect(createHash('sha256').update(source).digest('hex')).toBe(kernelSource)
  })

  it('is a module that this host can run', () => {
    const started = startKernel([5, 16])
    expect(started?.places).toEqual([0, 16])
    expect(started?.kernel.scan).toBeTypeOf('function')
  })

  it('returns undefined when memory is not available', () => {
    expect(startKernel([2 ** 40])).toBeUndefined()
  })

  it('scans exactly as the plain loop does, in any dimension and across its windows', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }).chain((dimension) =>
          fc.record({
            query: fc.array(signedByte, { minLength: dimension, maxLength: dimension }),
            pattern: fc.array(signedByte, { minLength: 1, maxLength: 300 }),
            count: fc.integer({ min: 0, max: 5000 }),
          }),
        ),
        ({ query, pattern, count }) => {
          const vectors = Int8Array.from({ length: count * query.length }, (_, i) => pattern[i % pattern.length])
          expect(scanned(scan, query, vectors, count)).toEqual(scanned(plainScan, query, vectors, count))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('scans the largest values and the longest provider vectors without overflow', () => {
    for (const dimension of [3072, 8192, 20_000]) {
      const vectors = new Int8Array(dimension * 3).fill(-128)
      const query = Array.from({ length: dimension }, () => -128)
      expect(scanned(scan, query, vectors, 3)).toEqual([1, 1, 1].map(() => dimension * 128 * 128))
    }
  })

  it('adds up rows exactly as the plain loop does', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(16, 48, 192),
        fc.array(fc.tuple(fc.nat(6), fc.integer({ min: 0, max: 2 ** 24 })), { maxLength: 40 }),
        fc.array(signedByte, { minLength: 7, maxLength: 100 }),
        (dimension, entries, pattern) => {
          const model = modelOf(
            dimension,
            Int8Array.from({ length: 7 * dimension }, (_, i) => pattern[i % pattern.length]),
          )
          const rows = Int32Array.from(entries, ([row]) => row)
          const weights = Int32Array.from(entries, ([, weight]) => weight)
          const [plain, fast] = [plainRowSum(model), kernelRowSum(model)!].map((sum) => {
            const sums = new Int32Array(dimension).fill(7)
            sum(rows, weights, rows.length, sums)
            return sums
          })
          expect(fast).toEqual(plain)
        },
      ),
    )
  })

  it('multiplies panels to the same bits as the plain loop', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.nat(8), { maxLength: 9 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -1, max: 1 }), { minLength: 5, maxLength: 60 }),
        (rows, numbers) => {
          const entries = rows.flat().length
          const products = [plainProduct(rows.length, 9, entries), kernelProduct(rows.length, 9, entries)!]
          const [plain, fast] = products.map((product) => {
            fill(product, rows, numbers)
            product.panel.set(product.panel.map((_, i) => numbers[(i * 3) % numbers.length]))
            product.forward(0, product.matrix.rows)
            product.backward(0, 4)
            product.backward(4, 9)
            return new Int32Array(product.panel.slice().buffer)
          })
          expect(fast).toEqual(plain)
        },
      ),
    )
  })
})

function scanned(scanner: typeof scan, query: number[], vectors: Int8Array, count: number): number[] {
  const products: number[] = []
  scanner(Int8Array.from(query), vectors, count, (product, index) => {
    products[index] = product
  })
  return products
}

function modelOf(dimension: number, vectors: Int8Array): LsaModel {
  const count = vectors.length / dimension
  const ones = new Float32Array(count).fill(1)
  return { id: 'm', dimension, terms: Array.from(ones, (_, i) => `t${i}`), idf: ones, vectors, scales: ones }
}

function fill({ matrix, transposed }: SparseProduct, rows: number[][], numbers: number[]): void {
  matrix.columns.set(rows.flat())
  matrix.weights.set(Array.from(matrix.columns, (_, i) => numbers[i % numbers.length]))
  rows.forEach((row, i) => {
    matrix.start[i + 1] = matrix.start[i] + row.length
  })
  for (const _ of fillTransposed(transposed, matrix));
}
