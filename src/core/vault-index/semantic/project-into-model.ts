import type { AskedTerm } from './knowledge-of-query.js'
import { logOfCount } from './log-of-count.js'
import { type LsaModel, lookupTerm } from './lsa-model.js'
import { quantiseInto } from './quantise.js'
import { plainRowSum, type RowSum, rowSum } from './row-sum.js'
import type { QueryVector } from './vector-block.js'

/**
 * Writes a unit's vector at `out[at…at + dimension]` and answers its scale, 0 when the model knows none of its terms.
 * `terms` are the model's numbers of the unit's distinct terms (unknown ones, -1, are passed over), `counts` how often
 * each occurs; the first `length` of both count.
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

/** A query as a vector of the model's space. `empty` when the model knows none of its stems: then every score is 0. */
export function projectQuery(
  model: LsaModel,
  stems: readonly Pick<AskedTerm, 'text' | 'count' | 'share'>[],
): { vector: QueryVector; empty: boolean } {
  const terms = Int32Array.from(stems, ({ text }) => lookupTerm(model, text))
  const counts = Int32Array.from(stems, ({ count }) => count)
  const shares = stems.map(({ share }) => share)
  const values = new Int8Array(model.dimension)
  // A query is short: the plain loop is done before a kernel would have its copy of the model.
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

// Scratch, so that projecting a hundred thousand units makes no garbage.
let real = new Float64Array(1024)
let weights = new Int32Array(1024)
let rows = new Int32Array(1024)
let sums = new Int32Array(0)

/**
 * Fills `rows` and `weights`, answers how many. The weights are whole numbers, as large as the sum of all of them times
 * 128 still fits into 32 bits: exact on every host, and faster than floating point.
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
    const term = terms[i]
    if (term < 0 || term >= known || counts[i] < 1) continue
    const weight = (1 + logOfCount(counts[i])) * idf[term] * scales[term] * (shares?.[i] ?? 1)
    // A damaged model may hold anything.
    if (!(weight > 0 && weight < Number.POSITIVE_INFINITY)) continue
    real[used] = weight
    rows[used++] = term
    total += weight
  }
  const factor = (2 ** 24 - 1 - used) / total
  for (let i = 0; i < used; i++) weights[i] = Math.round(real[i] * factor)
  return used
}
