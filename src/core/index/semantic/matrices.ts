import { startKernel } from './kernel.js'
import { logOfCount } from './portable-math.js'

// `!` is used on sparse matrices: `start` has one entry more than there are rows, `columns` and `weights` end where it
// ends.

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

/** Counts the entries that are in the vocabulary. `columnOf` maps term numbers to columns, -1 to leave them out. */
export function countEntries({ terms }: SparseRows, columnOf: Int32Array): number {
  let entries = 0
  for (let i = 0; i < terms.length; i++) if (columnOf[terms[i]!]! >= 0) entries++
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
    for (let i = rows.rowStart[row]!; i < rows.rowStart[row + 1]!; i++) {
      const column = columnOf[rows.terms[i]!]!
      if (column < 0) continue
      const weight = (1 + logOfCount(rows.counts[i]!)) * idf[column]!
      columns[end] = column
      weights[end++] = weight
      squares += weight * weight
    }
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0
    for (let i = start[row]!; i < end; i++) weights[i]! *= scale
    start[row + 1] = end
    if (end - yielded < entriesPerSlice) continue
    yielded = end
    yield
  }
}

/** Fills `transposed` with the same entries by column. */
export function* fillTransposed(transposed: SparseMatrix, matrix: SparseMatrix): Generator<void> {
  const { start, columns, weights } = transposed
  for (let i = 0; i < matrix.columns.length; i++) start[matrix.columns[i]! + 1]!++
  for (let row = 0; row < transposed.rows; row++) start[row + 1]! += start[row]!
  yield

  const next = start.slice(0, transposed.rows)
  let yielded = 0
  for (let column = 0; column < matrix.rows; column++) {
    const end = matrix.start[column + 1]!
    for (let i = matrix.start[column]!; i < end; i++) {
      const place = next[matrix.columns[i]!]!++
      columns[place] = column
      weights[place] = matrix.weights[i]!
    }
    if (end - yielded < entriesPerSlice) continue
    yielded = end
    yield
  }
}

const entriesPerSlice = 200_000

/**
 * A sparse matrix, its transpose, and memory for a panel: panel ← matrixᵀ · (matrix · panel), in two steps. The caller
 * fills both matrices in place, so that there is only one copy of them.
 */
export interface SparseProduct {
  readonly matrix: SparseMatrix
  readonly transposed: SparseMatrix
  readonly panel: Float32Array
  /** Rows `from` to `to` of matrix · panel. */
  forward(from: number, to: number): void
  /** Rows `from` to `to` of matrixᵀ · (matrix · panel), once all of `forward` is done; replaces the panel. */
  backward(from: number, to: number): void
}

/** Allocates a matrix of this size for the fastest implementation on this host; all give the same bits. */
export function sparseProduct(rows: number, columns: number, entries: number): SparseProduct {
  return kernelProduct(rows, columns, entries) ?? plainProduct(rows, columns, entries)
}

/** One place in the kernel's memory for each array of `words`. */
type Places = [number, number, number, number, number, number, number, number]

export function kernelProduct(rows: number, columns: number, entries: number): SparseProduct | undefined {
  const words = [rows + 1, entries, entries, columns + 1, entries, entries, columns * panelWidth, rows * panelWidth]
  const started = startKernel(words.map((count) => count * 4))
  if (started === undefined) return undefined
  const { kernel, places } = started
  const [start, column, weight, startBack, columnBack, weightBack, panel, product] = places as Places
  const whole = (part: number) => new Int32Array(kernel.buffer, places[part], words[part])
  const real = (part: number) => new Float32Array(kernel.buffer, places[part], words[part])
  return {
    matrix: { rows, start: whole(0), columns: whole(1), weights: real(2) },
    transposed: { rows: columns, start: whole(3), columns: whole(4), weights: real(5) },
    panel: real(6),
    forward: (from, to) => kernel.multiply(start, column, weight, panel, product, from, to),
    backward: (from, to) => kernel.multiply(startBack, columnBack, weightBack, product, panel, from, to),
  }
}

export function plainProduct(rows: number, columns: number, entries: number): SparseProduct {
  const matrix = emptyMatrix(rows, entries)
  const transposed = emptyMatrix(columns, entries)
  const panel = new Float32Array(columns * panelWidth)
  const product = new Float32Array(rows * panelWidth)
  return {
    matrix,
    transposed,
    panel,
    forward: (from, to) => multiplyRows(matrix, panel, product, from, to),
    backward: (from, to) => multiplyRows(transposed, product, panel, from, to),
  }
}

function emptyMatrix(rows: number, entries: number): SparseMatrix {
  const start = new Int32Array(rows + 1)
  return { rows, start, columns: new Int32Array(entries), weights: new Float32Array(entries) }
}

function multiplyRows(
  matrix: SparseMatrix,
  source: Float32Array,
  target: Float32Array,
  from: number,
  to: number,
): void {
  for (let row = from; row < to; row++) {
    for (let part = 0; part < panelWidth; part += 8) multiplyRow(matrix, source, target, row, part)
  }
}

// Rounds to 32 bits after every operation, as the kernel does; engines compile this to 32-bit instructions.
function multiplyRow(
  matrix: SparseMatrix,
  source: Float32Array,
  target: Float32Array,
  row: number,
  part: number,
): void {
  const { start, columns, weights } = matrix
  const { fround } = Math
  let a = fround(0)
  let b = fround(0)
  let c = fround(0)
  let d = fround(0)
  let e = fround(0)
  let f = fround(0)
  let g = fround(0)
  let h = fround(0)
  const end = start[row + 1]!
  for (let i = start[row]!; i < end; i++) {
    const weight = weights[i]!
    const at = columns[i]! * panelWidth + part
    a = fround(a + fround(weight * source[at]!))
    b = fround(b + fround(weight * source[at + 1]!))
    c = fround(c + fround(weight * source[at + 2]!))
    d = fround(d + fround(weight * source[at + 3]!))
    e = fround(e + fround(weight * source[at + 4]!))
    f = fround(f + fround(weight * source[at + 5]!))
    g = fround(g + fround(weight * source[at + 6]!))
    h = fround(h + fround(weight * source[at + 7]!))
  }
  const at = row * panelWidth + part
  target[at] = a
  target[at + 1] = b
  target[at + 2] = c
  target[at + 3] = d
  target[at + 4] = e
  target[at + 5] = f
  target[at + 6] = g
  target[at + 7] = h
}

/** Columns multiplied together: as many sums as fit into vector registers. */
export const panelWidth = 16

/** A dense matrix stored as panels of `panelWidth` columns; a panel holds its rows one after the other. */
export interface Panels {
  rows: number
  count: number
  values: Float32Array
}
