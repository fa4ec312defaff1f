import { startKernel } from './kernel.js'
import { panelWidth } from './panels.js'
import type { SparseMatrix } from './term-matrix.js'

/**
 * A sparse matrix, its transpose, and room for a panel: panel ← matrixᵀ · (matrix · panel), in two steps. Both matrices
 * are filled in place by the caller, so that there is only ever one copy of them.
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

/** Room for a matrix of this size, where this host multiplies fastest; every way gives the same bits. */
export function sparseProduct(rows: number, columns: number, entries: number): SparseProduct {
  return kernelProduct(rows, columns, entries) ?? plainProduct(rows, columns, entries)
}

export function kernelProduct(rows: number, columns: number, entries: number): SparseProduct | undefined {
  const words = [rows + 1, entries, entries, columns + 1, entries, entries, columns * panelWidth, rows * panelWidth]
  const started = startKernel(words.map((count) => count * 4))
  if (started === undefined) return undefined
  const { kernel, places } = started
  const [start, column, weight, startBack, columnBack, weightBack, panel, product] = places
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

// Rounded to 32 bits after every operation, which is what the kernel does; engines turn that into 32-bit instructions.
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
  const end = start[row + 1]
  for (let i = start[row]; i < end; i++) {
    const weight = weights[i]
    const at = columns[i] * panelWidth + part
    a = fround(a + fround(weight * source[at]))
    b = fround(b + fround(weight * source[at + 1]))
    c = fround(c + fround(weight * source[at + 2]))
    d = fround(d + fround(weight * source[at + 3]))
    e = fround(e + fround(weight * source[at + 4]))
    f = fround(f + fround(weight * source[at + 5]))
    g = fround(g + fround(weight * source[at + 6]))
    h = fround(h + fround(weight * source[at + 7]))
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
