import { logOfCount } from './log-of-count.js'

/** Units as rows of term numbers and counts: row r spans `rowStart[r]` to `rowStart[r + 1]`, each term once per row. */
export interface SparseRows {
  rowStart: Int32Array
  terms: Int32Array
  counts: Uint16Array
}

/** A sparse matrix by rows: row r holds `weights` at `columns` from `start[r]` to `start[r + 1]`. */
export interface SparseMatrix {
  rows: number
  start: Int32Array
  columns: Int32Array
  weights: Float32Array
}

/** How many entries of the rows are in the vocabulary. `columnOf` maps term numbers to columns, -1 to leave them out. */
export function countEntries({ terms }: SparseRows, columnOf: Int32Array): number {
  let entries = 0
  for (let i = 0; i < terms.length; i++) if (columnOf[terms[i]] >= 0) entries++
  return entries
}

/** Fills `matrix`, units by terms, with the weights (1 + ln tf) · idf, every row of length 1. Yields between slices of work. */
export function* fillWeights(
  matrix: SparseMatrix,
  rows: SparseRows,
  columnOf: Int32Array,
  idf: Float32Array,
): Generator<void> {
  const { start, columns, weights } = matrix
  let end = 0
  let yielded = 0
  for (let row = 0; row < matrix.rows; row++) {
    let squares = 0
    for (let i = rows.rowStart[row]; i < rows.rowStart[row + 1]; i++) {
      const column = columnOf[rows.terms[i]]
      if (column < 0) continue
      const weight = (1 + logOfCount(rows.counts[i])) * idf[column]
      columns[end] = column
      weights[end++] = weight
      squares += weight * weight
    }
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0
    for (let i = start[row]; i < end; i++) weights[i] *= scale
    start[row + 1] = end
    if (end - yielded < entriesPerSlice) continue
    yielded = end
    yield
  }
}

/** Fills `transposed` with the same entries by column. */
export function* fillTransposed(transposed: SparseMatrix, matrix: SparseMatrix): Generator<void> {
  const { start, columns, weights } = transposed
  for (let i = 0; i < matrix.columns.length; i++) start[matrix.columns[i] + 1]++
  for (let row = 0; row < transposed.rows; row++) start[row + 1] += start[row]
  yield

  const next = start.slice(0, transposed.rows)
  let yielded = 0
  for (let column = 0; column < matrix.rows; column++) {
    const end = matrix.start[column + 1]
    for (let i = matrix.start[column]; i < end; i++) {
      const place = next[matrix.columns[i]]++
      columns[place] = column
      weights[place] = matrix.weights[i]
    }
    if (end - yielded < entriesPerSlice) continue
    yielded = end
    yield
  }
}

const entriesPerSlice = 200_000
