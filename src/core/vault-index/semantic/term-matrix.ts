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

/**
 * Units by terms, weighted (1 + ln tf) · idf, every row of length 1. `columnOf` maps term numbers to columns, -1 for
 * terms to leave out. Yields between slices of work.
 */
export function* weightedRows(
  rows: SparseRows,
  columnOf: Int32Array,
  idf: Float32Array,
): Generator<void, SparseMatrix> {
  const count = Math.max(0, rows.rowStart.length - 1)
  let entries = 0
  for (let i = 0; i < rows.terms.length; i++) if (columnOf[rows.terms[i]] >= 0) entries++
  yield

  const start = new Int32Array(count + 1)
  const columns = new Int32Array(entries)
  const weights = new Float32Array(entries)
  let end = 0
  for (let row = 0; row < count; row++) {
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
    if (row % 2048 === 2047) yield
  }
  return { rows: count, start, columns, weights }
}

/** The same matrix by columns. */
export function* transpose(matrix: SparseMatrix, rows: number): Generator<void, SparseMatrix> {
  const start = new Int32Array(rows + 1)
  for (const column of matrix.columns) start[column + 1]++
  for (let row = 0; row < rows; row++) start[row + 1] += start[row]
  yield

  const columns = new Int32Array(matrix.columns.length)
  const weights = new Float32Array(matrix.columns.length)
  const next = start.slice(0, rows)
  for (let column = 0; column < matrix.rows; column++) {
    for (let i = matrix.start[column]; i < matrix.start[column + 1]; i++) {
      const place = next[matrix.columns[i]]++
      columns[place] = column
      weights[place] = matrix.weights[i]
    }
    if (column % 2048 === 2047) yield
  }
  return { rows, start, columns, weights }
}
