import type { SparseMatrix } from './term-matrix.js'

/** Columns that are multiplied together: as many sums as a processor keeps in registers. */
export const panelWidth = 8

/** A dense matrix stored as panels of `panelWidth` columns; a panel holds its rows one after the other. */
export interface Panels {
  rows: number
  count: number
  values: Float32Array
}

/** `target` ← matrix · `source`, rows `from` to `to`, where source and target are one panel each. */
export function multiplyPanel(
  matrix: SparseMatrix,
  source: Float32Array,
  target: Float32Array,
  from: number,
  to: number,
): void {
  const { start, columns, weights } = matrix
  const { fround } = Math
  for (let row = from; row < to; row++) {
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
      const at = columns[i] * 8
      a = fround(a + fround(weight * source[at]))
      b = fround(b + fround(weight * source[at + 1]))
      c = fround(c + fround(weight * source[at + 2]))
      d = fround(d + fround(weight * source[at + 3]))
      e = fround(e + fround(weight * source[at + 4]))
      f = fround(f + fround(weight * source[at + 5]))
      g = fround(g + fround(weight * source[at + 6]))
      h = fround(h + fround(weight * source[at + 7]))
    }
    const at = row * 8
    target[at] = a
    target[at + 1] = b
    target[at + 2] = c
    target[at + 3] = d
    target[at + 4] = e
    target[at + 5] = f
    target[at + 6] = g
    target[at + 7] = h
  }
}
