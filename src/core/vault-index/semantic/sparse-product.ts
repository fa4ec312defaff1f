import { startKernel } from './kernel.js'
import { panelWidth } from './panels.js'
import type { SparseMatrix } from './term-matrix.js'

/** Multiplies panels by a matrix and by its transpose: panel ← matrixᵀ · (matrix · panel), in two steps. */
export interface SparseProduct {
  load(panel: Float32Array): void
  /** Rows `from` to `to` of matrix · panel. */
  forward(from: number, to: number): void
  /** Rows `from` to `to` of matrixᵀ · (matrix · panel), once all of `forward` is done; replaces the panel. */
  backward(from: number, to: number): void
  store(panel: Float32Array): void
}

/** The fastest product this host can do; all of them give the same bits. */
export function sparseProduct(matrix: SparseMatrix, transposed: SparseMatrix): SparseProduct {
  return kernelProduct(matrix, transposed) ?? plainProduct(matrix, transposed)
}

export function kernelProduct(matrix: SparseMatrix, transposed: SparseMatrix): SparseProduct | undefined {
  const parts = [matrix.start, matrix.columns, matrix.weights, transposed.start, transposed.columns, transposed.weights]
  const panelBytes = (rows: number) => rows * panelWidth * 4
  const started = startKernel([
    ...parts.map((part) => part.byteLength),
    panelBytes(transposed.rows),
    panelBytes(matrix.rows),
  ])
  if (started === undefined) return undefined
  const { kernel, places } = started
  const [start, columns, weights, startBack, columnsBack, weightsBack, panel, product] = places
  parts.forEach((part, i) => {
    new Uint8Array(kernel.buffer, places[i], part.byteLength).set(
      new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
    )
  })
  const inside = new Float32Array(kernel.buffer, panel, transposed.rows * panelWidth)
  return {
    load: (values) => inside.set(values),
    forward: (from, to) => kernel.multiply(start, columns, weights, panel, product, from, to),
    backward: (from, to) => kernel.multiply(startBack, columnsBack, weightsBack, product, panel, from, to),
    store: (values) => values.set(inside),
  }
}

export function plainProduct(matrix: SparseMatrix, transposed: SparseMatrix): SparseProduct {
  const inside = new Float32Array(transposed.rows * panelWidth)
  const product = new Float32Array(matrix.rows * panelWidth)
  return {
    load: (values) => inside.set(values),
    forward: (from, to) => multiplyRows(matrix, inside, product, from, to),
    backward: (from, to) => multiplyRows(transposed, product, inside, from, to),
    store: (values) => values.set(inside),
  }
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
