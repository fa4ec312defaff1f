import { startKernel } from './kernel.js'
import type { LsaModel } from './lsa-model.js'

/** sums[j] ← Σᵢ weights[i] · component j of the model's vector rows[i], over the first `used` rows. */
export type RowSum = (rows: Int32Array, weights: Int32Array, used: number, sums: Int32Array) => void

/** The fastest way of this host to add up a model's vectors; all of them give the same bits. */
export function rowSum(model: LsaModel): RowSum {
  let sum = sumOf.get(model)
  if (sum === undefined) {
    sum = kernelRowSum(model) ?? plainRowSum(model)
    sumOf.set(model, sum)
  }
  return sum
}

const sumOf = new WeakMap<LsaModel, RowSum>()

export function kernelRowSum(model: LsaModel): RowSum | undefined {
  const { dimension, vectors } = model
  // The kernel adds whole groups of sixteen.
  if (dimension % 16 !== 0) return undefined
  const started = startKernel([vectors.length, mostRows * 4, mostRows * 4, dimension * 4])
  if (started === undefined) return undefined
  const { kernel, places } = started
  new Int8Array(kernel.buffer, places[0], vectors.length).set(vectors)
  const rowsInside = new Int32Array(kernel.buffer, places[1], mostRows)
  const weightsInside = new Int32Array(kernel.buffer, places[2], mostRows)
  const sumsInside = new Int32Array(kernel.buffer, places[3], dimension)
  const plain = plainRowSum(model)
  return (rows, weights, used, sums) => {
    if (used > mostRows) return plain(rows, weights, used, sums)
    for (let i = 0; i < used; i++) {
      rowsInside[i] = rows[i]
      weightsInside[i] = weights[i]
    }
    kernel.sumRows(places[1], places[2], used, places[0], places[3], dimension)
    sums.set(sumsInside)
  }
}

const mostRows = 8192

export function plainRowSum({ vectors, dimension }: LsaModel): RowSum {
  return (rows, weights, used, sums) => {
    let column = 0
    for (; column + 8 <= dimension; column += 8) sumEight(vectors, dimension, rows, weights, used, sums, column)
    for (; column < dimension; column++) {
      let sum = 0
      for (let i = 0; i < used; i++) sum = (sum + Math.imul(weights[i], vectors[rows[i] * dimension + column])) | 0
      sums[column] = sum
    }
  }
}

function sumEight(
  vectors: Int8Array,
  dimension: number,
  rows: Int32Array,
  weights: Int32Array,
  used: number,
  sums: Int32Array,
  column: number,
): void {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let e = 0
  let f = 0
  let g = 0
  let h = 0
  for (let i = 0; i < used; i++) {
    const weight = weights[i]
    const at = rows[i] * dimension + column
    a = (a + Math.imul(weight, vectors[at])) | 0
    b = (b + Math.imul(weight, vectors[at + 1])) | 0
    c = (c + Math.imul(weight, vectors[at + 2])) | 0
    d = (d + Math.imul(weight, vectors[at + 3])) | 0
    e = (e + Math.imul(weight, vectors[at + 4])) | 0
    f = (f + Math.imul(weight, vectors[at + 5])) | 0
    g = (g + Math.imul(weight, vectors[at + 6])) | 0
    h = (h + Math.imul(weight, vectors[at + 7])) | 0
  }
  sums[column] = a
  sums[column + 1] = b
  sums[column + 2] = c
  sums[column + 3] = d
  sums[column + 4] = e
  sums[column + 5] = f
  sums[column + 6] = g
  sums[column + 7] = h
}
