import type { LsaModel } from './lsa-model.js'
import { naturalLog } from './natural-log.js'
import { orthonormalise } from './orthonormalise.js'
import { type Panels, panelWidth } from './panels.js'
import { quantiseTerms } from './quantise-terms.js'
import { randomSource } from './random-source.js'
import { type SparseProduct, sparseProduct } from './sparse-product.js'
import { countEntries, fillTransposed, fillWeights, type SparseMatrix, type SparseRows } from './term-matrix.js'
import { selectTerms } from './vocabulary.js'

export interface FitInput {
  /** The units to fit on: all of the vault's, or a sample. */
  rows: SparseRows
  /** The stem of each term number. */
  terms: readonly string[]
  /** In how many units of the whole vault each term number occurs. */
  documentFrequency: Int32Array
  /** Units of the whole vault; more than the rows when they are a sample. */
  unitCount: number
  seed?: number
}

/**
 * Fits latent semantics to a vault: the space of the strongest singular vectors of its weighted term matrix, by
 * subspace iteration. Yields its progress, 0 to 1, every few milliseconds, so that a host can run it between other
 * work and stop by not asking again. The same input gives the same model, bit for bit, on every host.
 */
export function* fitLsa({
  rows,
  terms,
  documentFrequency,
  unitCount,
  seed = 1,
}: FitInput): Generator<number, LsaModel> {
  const chosen = selectTerms(terms, documentFrequency, unitCount)
  const idf = Float32Array.from(chosen, (term) => naturalLog(unitCount / documentFrequency[term]))
  yield 0.01
  const work = yield* during(prepare(rows, chosen, terms.length, idf), 0.02)
  const dimension = dimensionFor(unitCount, Math.min(work.product.matrix.rows, chosen.length))
  const basis = yield* during(randomPanels(chosen.length, dimension, seed), 0.04)
  for (let round = 0; round < rounds; round++) {
    const from = 0.05 + (0.94 * round) / rounds
    yield* iterate(work, basis, from, 0.94 / rounds / 2)
    yield* during(orthonormalise(basis), from + 0.94 / rounds / 2)
  }
  const stems = Array.from(chosen, (term) => terms[term])
  return yield* during(quantiseTerms(basis, dimension, stems, idf), 0.99)
}

const rounds = 3

function dimensionFor(unitCount: number, rank: number): number {
  const wanted = Math.min(128, Math.max(16, Math.round(unitCount / 4)))
  return Math.max(1, Math.min(wanted, rank))
}

interface Work {
  product: SparseProduct
  forward: Slice[]
  backward: Slice[]
}

/** The weighted matrix, ready to multiply. */
function* prepare(rows: SparseRows, chosen: Int32Array, termCount: number, idf: Float32Array): Generator<void, Work> {
  const columnOf = new Int32Array(termCount).fill(-1)
  for (let column = 0; column < chosen.length; column++) columnOf[chosen[column]] = column
  const units = Math.max(0, rows.rowStart.length - 1)
  const product = sparseProduct(units, chosen.length, countEntries(rows, columnOf))
  yield
  yield* fillWeights(product.matrix, rows, columnOf, idf)
  yield* fillTransposed(product.transposed, product.matrix)
  return { product, forward: slices(product.matrix), backward: slices(product.transposed) }
}

/** basis ← matrixᵀ · (matrix · basis), a panel at a time, so that only one panel of the product ever exists. */
function* iterate({ product, forward, backward }: Work, basis: Panels, from: number, share: number): Generator<number> {
  const size = basis.rows * panelWidth
  for (let panel = 0; panel < basis.count; panel++) {
    const values = basis.values.subarray(panel * size, (panel + 1) * size)
    product.panel.set(values)
    for (const [row, end] of forward) {
      product.forward(row, end)
      yield from + (share * panel) / basis.count
    }
    for (const [row, end] of backward) {
      product.backward(row, end)
      yield from + (share * (panel + 0.5)) / basis.count
    }
    values.set(product.panel)
  }
}

type Slice = [from: number, to: number]

/** Ranges of rows with about as much work each as a slice may take. */
function slices({ rows, start }: SparseMatrix): Slice[] {
  const ranges: Slice[] = []
  for (let row = 0; row < rows; ) {
    let end = row + 1
    while (end < rows && start[end + 1] - start[row] <= entriesPerSlice) end++
    ranges.push([row, end])
    row = end
  }
  return ranges
}

const entriesPerSlice = 500_000

function* randomPanels(rows: number, dimension: number, seed: number): Generator<void, Panels> {
  const random = randomSource(seed)
  const count = Math.ceil(dimension / panelWidth)
  const values = new Float32Array(count * rows * panelWidth)
  for (let panel = 0, at = 0; panel < count; panel++) {
    // Columns beyond the dimension stay zero, through every multiplication.
    const used = Math.min(panelWidth, dimension - panel * panelWidth)
    for (let row = 0; row < rows; row++, at += panelWidth) {
      for (let column = 0; column < used; column++) values[at + column] = random() * 2 - 1
    }
    yield
  }
  return { rows, count, values }
}

/** Runs a step that does not know how far along the whole is. */
function* during<T>(step: Generator<void, T>, progress: number): Generator<number, T> {
  for (;;) {
    const { done, value } = step.next()
    if (done) return value
    yield progress
  }
}
