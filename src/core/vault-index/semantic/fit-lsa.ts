import type { LsaModel } from './lsa-model.js'
import { naturalLog } from './natural-log.js'
import { orthonormalise } from './orthonormalise.js'
import { multiplyPanel, type Panels, panelWidth } from './panels.js'
import { quantiseTerms } from './quantise-terms.js'
import { randomSource } from './random-source.js'
import { type SparseMatrix, type SparseRows, transpose, weightedRows } from './term-matrix.js'
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
  const columnOf = new Int32Array(terms.length).fill(-1)
  chosen.forEach((term, column) => {
    columnOf[term] = column
  })
  const idf = Float32Array.from(chosen, (term) => naturalLog(unitCount / documentFrequency[term]))
  yield 0.01
  const units = yield* during(weightedRows(rows, columnOf, idf), 0.02)
  const columns = yield* during(transpose(units, chosen.length), 0.03)

  const dimension = dimensionFor(unitCount, Math.min(units.rows, chosen.length))
  const basis = randomPanels(chosen.length, dimension, seed)
  for (let round = 0; round < rounds; round++) {
    const from = 0.04 + (0.94 * round) / rounds
    yield from
    yield* iterate(units, columns, basis, from, 0.94 / rounds / 2)
    yield* during(orthonormalise(basis), from + 0.94 / rounds)
  }
  return quantiseTerms(
    basis,
    dimension,
    Array.from(chosen, (term) => terms[term]),
    idf,
  )
}

const rounds = 3

function dimensionFor(unitCount: number, rank: number): number {
  const wanted = Math.min(192, Math.max(16, Math.round(unitCount / 4)))
  return Math.max(1, Math.min(wanted, rank))
}

/** basis ← unitsᵀ · (units · basis), a panel at a time, so that only one panel of the product ever exists. */
function* iterate(
  units: SparseMatrix,
  columns: SparseMatrix,
  basis: Panels,
  from: number,
  share: number,
): Generator<number> {
  const product = new Float32Array(units.rows * panelWidth)
  const size = basis.rows * panelWidth
  for (let panel = 0; panel < basis.count; panel++) {
    const values = basis.values.subarray(panel * size, (panel + 1) * size)
    for (const [row, end] of slices(units)) {
      multiplyPanel(units, values, product, row, end)
      yield from + (share * panel) / basis.count
    }
    for (const [row, end] of slices(columns)) {
      multiplyPanel(columns, product, values, row, end)
      yield from + (share * (panel + 0.5)) / basis.count
    }
  }
}

/** Ranges of rows with about as much work each as a slice may take. */
function* slices({ rows, start }: SparseMatrix): Generator<[number, number]> {
  for (let row = 0; row < rows; ) {
    let end = row + 1
    while (end < rows && start[end + 1] - start[row] <= entriesPerSlice) end++
    yield [row, end]
    row = end
  }
}

const entriesPerSlice = 1_000_000

function randomPanels(rows: number, dimension: number, seed: number): Panels {
  const random = randomSource(seed)
  const count = Math.ceil(dimension / panelWidth)
  const values = new Float32Array(count * rows * panelWidth)
  for (let i = 0; i < values.length; i++) {
    const column = Math.floor(i / (rows * panelWidth)) * panelWidth + (i % panelWidth)
    if (column < dimension) values[i] = random() * 2 - 1
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
