/** Columns that are multiplied together: as many sums as a processor keeps in its vector registers. */
export const panelWidth = 16

/** A dense matrix stored as panels of `panelWidth` columns; a panel holds its rows one after the other. */
export interface Panels {
  rows: number
  count: number
  values: Float32Array
}
