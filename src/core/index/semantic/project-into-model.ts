import { startKernel } from './kernel.js'
import { type LsaModel, lookupTerm } from './lsa-model.js'
import { logOfCount } from './portable-math.js'
import { type QueryVector, quantiseInto } from './vector-block.js'

// `!` is used on terms and counts below `used`, and on vectors of the model, with `dimension` numbers for each known
// term.

/**
 * Writes a unit's vector at `out[at…at + dimension]` and returns its scale, 0 if the model knows none of its terms.
 * `terms` are the model's numbers of the unit's distinct terms (-1 is skipped), `counts` their occurrences; only the
 * first `length` of both are read.
 */
export function projectUnit(
  model: LsaModel,
  terms: Int32Array,
  counts: Uint16Array | Int32Array,
  length: number,
  out: Int8Array,
  at: number,
): number {
  return projectWith(rowSum(model), model, terms, counts, length, out, at)
}

/** Projects a query into the model's space. `empty` if the model knows none of its stems: then every score is 0. */
export function projectQuery(
  model: LsaModel,
  stems: readonly Pick<ModelTerm, 'text' | 'count' | 'share'>[],
): { vector: QueryVector; empty: boolean } {
  const terms = Int32Array.from(stems, ({ text }) => lookupTerm(model, text))
  const counts = Int32Array.from(stems, ({ count }) => count)
  const shares = stems.map(({ share }) => share)
  const values = new Int8Array(model.dimension)
  // A query is short: the plain loop finishes before a kernel has copied the model.
  const scale = projectWith(plainRowSum(model), model, terms, counts, stems.length, values, 0, shares)
  return {
    vector: { model: model.id, dimension: model.dimension, values, scale },
    empty: scale === 0,
  }
}

function projectWith(
  sum: RowSum,
  model: LsaModel,
  terms: Int32Array,
  counts: Uint16Array | Int32Array,
  length: number,
  out: Int8Array,
  at: number,
  shares?: readonly number[],
): number {
  const used = weigh(model, terms, counts, length, shares)
  if (sums.length !== model.dimension) sums = new Int32Array(model.dimension)
  sum(rows, weights, used, sums)
  return quantiseInto(sums, out, at)
}

// Scratch memory: projecting 100,000 units creates no garbage.
let real = new Float64Array(1024)
let weights = new Int32Array(1024)
let rows = new Int32Array(1024)
let sums = new Int32Array(0)

/**
 * Fills `rows` and `weights` and returns their count. Weights are integers, as large as the sum of all of them times
 * 128 fits into 32 bits: exact on every host, and faster than floating point.
 */
function weigh(
  { terms: { length: known }, idf, scales }: LsaModel,
  terms: Int32Array,
  counts: Uint16Array | Int32Array,
  length: number,
  shares?: readonly number[],
): number {
  if (rows.length < length) {
    real = new Float64Array(length * 2)
    weights = new Int32Array(length * 2)
    rows = new Int32Array(length * 2)
  }
  let used = 0
  let total = 0
  for (let i = 0; i < length; i++) {
    const term = terms[i]!
    if (term < 0 || term >= known || counts[i]! < 1) continue
    const weight = (1 + logOfCount(counts[i]!)) * idf[term]! * scales[term]! * (shares?.[i] ?? 1)
    // A damaged model may contain any value.
    if (!(weight > 0 && weight < Number.POSITIVE_INFINITY)) continue
    real[used] = weight
    rows[used++] = term
    total += weight
  }
  const factor = (2 ** 24 - 1 - used) / total
  for (let i = 0; i < used; i++) weights[i] = Math.round(real[i]! * factor)
  return used
}

/** sums[j] ← Σᵢ weights[i] · component j of the model's vector rows[i], over the first `used` rows. */
export type RowSum = (rows: Int32Array, weights: Int32Array, used: number, sums: Int32Array) => void

/** The fastest implementation on this host; all give the same bits. */
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
  // The kernel adds groups of sixteen.
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
      rowsInside[i] = rows[i]!
      weightsInside[i] = weights[i]!
    }
    kernel.sumRows(places[1]!, places[2]!, used, places[0]!, places[3]!, dimension)
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
      for (let i = 0; i < used; i++) sum = (sum + Math.imul(weights[i]!, vectors[rows[i]! * dimension + column]!)) | 0
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
    const weight = weights[i]!
    const at = rows[i]! * dimension + column
    a = (a + Math.imul(weight, vectors[at]!)) | 0
    b = (b + Math.imul(weight, vectors[at + 1]!)) | 0
    c = (c + Math.imul(weight, vectors[at + 2]!)) | 0
    d = (d + Math.imul(weight, vectors[at + 3]!)) | 0
    e = (e + Math.imul(weight, vectors[at + 4]!)) | 0
    f = (f + Math.imul(weight, vectors[at + 5]!)) | 0
    g = (g + Math.imul(weight, vectors[at + 6]!)) | 0
    h = (h + Math.imul(weight, vectors[at + 7]!)) | 0
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

/** A term of a query; see `QueryStem`. */
export interface ModelTerm {
  text: string
  count: number
  share: number
  words: number
}

/** A query with this many known words is fully covered. */
const enoughWords = 6

/**
 * Share of a query that the model covers, 0 to 1: the length that the query keeps in the model's space, reduced for
 * queries of few words. Codes, dates and rare words are not covered, and a single word is ambiguous.
 */
export function modelCoverage(model: LsaModel, stems: readonly ModelTerm[], passages: number): number {
  const { dimension, idf, vectors, scales } = model
  // Unknown terms get the idf of the rarest known term (df >= 2).
  const rarest = Math.log(Math.max(2, passages / 2))
  const sums = new Float64Array(dimension)
  let asked = 0
  let known = 0
  for (const { text, count, share, words } of stems) {
    const term = lookupTerm(model, text)
    const weight = share * (1 + logOfCount(count)) * (term < 0 ? rarest : idf[term]!)
    asked += weight * weight
    if (term < 0) continue
    if (share === 1) known += words
    const scale = weight * scales[term]!
    for (let at = 0; at < dimension; at++) sums[at]! += scale * vectors[term * dimension + at]!
  }
  const kept = sums.reduce((sum, value) => sum + value * value, 0)
  return asked === 0 ? 0 : Math.min(1, Math.sqrt(kept / asked)) * Math.min(1, known / enoughWords)
}
