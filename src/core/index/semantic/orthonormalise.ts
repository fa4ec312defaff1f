import { type Panels, panelWidth } from './matrices.js'

// `!` is used on elements of matrices whose rows and columns are the bounds of the loops.

/**
 * Replaces the columns of a matrix by orthonormal ones that span the same space (Cholesky QR). A column that earlier
 * ones already span becomes zero. Yields between slices of work.
 */
export function* orthonormalise(matrix: Panels): Generator<void> {
  const width = matrix.count * panelWidth
  const isSteady = yield* pass()
  // Nearly dependent columns are imprecise after one pass; a second pass corrects them.
  if (!isSteady) yield* pass()

  function* pass(): Generator<void, boolean> {
    const gram = yield* gramOf(matrix, width)
    const { inverse, isSteady } = inverseFactor(gram, width)
    yield
    yield* multiplyRows(matrix, inverse, width)
    return isSteady
  }
}

// Rows are processed in strips of doubles that fit into the first-level cache.
const stripRows = 16
const stripsPerSlice = 16

/** The upper half of matrixᵀ · matrix, row by row. Sums are doubles, because Cholesky squares every error. */
function* gramOf(matrix: Panels, width: number): Generator<void, Float64Array> {
  const gram = new Float64Array(width * width)
  const strip = new Float64Array(stripRows * width)
  for (let row = 0, strips = 1; row < matrix.rows; row += stripRows, strips++) {
    readStrip(matrix, row, strip, width)
    for (let i = 0; i < width; i += 4) {
      for (let j = i; j < width; j += 2) addProducts(gram, strip, i, j, width)
    }
    if (strips % stripsPerSlice === 0) yield
  }
  return gram
}

function addProducts(gram: Float64Array, strip: Float64Array, i: number, j: number, width: number): void {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let e = 0
  let f = 0
  let g = 0
  let h = 0
  for (let at = 0; at < strip.length; at += width) {
    const left = strip[at + j]!
    const right = strip[at + j + 1]!
    const first = strip[at + i]!
    const second = strip[at + i + 1]!
    const third = strip[at + i + 2]!
    const fourth = strip[at + i + 3]!
    a += first * left
    b += first * right
    c += second * left
    d += second * right
    e += third * left
    f += third * right
    g += fourth * left
    h += fourth * right
  }
  const at = i * width + j
  gram[at]! += a
  gram[at + 1]! += b
  gram[at + width]! += c
  gram[at + width + 1]! += d
  gram[at + 2 * width]! += e
  gram[at + 2 * width + 1]! += f
  gram[at + 3 * width]! += g
  gram[at + 3 * width + 1]! += h
}

/**
 * The inverse of the upper triangular Cholesky factor of `gram`, transposed (row j holds column j). A column whose
 * remainder is no larger than the rounding of 32-bit numbers is dependent on those before it and gets zeros.
 */
function inverseFactor(gram: Float64Array, width: number): { inverse: Float64Array; isSteady: boolean } {
  const factor = new Float64Array(width * width)
  const inverse = new Float64Array(width * width)
  let isSteady = true
  // Column j of the factor lies in row j of `factor`, so that sums run along memory.
  for (let j = 0; j < width; j++) {
    const length = gram[j * width + j]!
    let rest = length
    for (let i = 0; i < j; i++) {
      const pivot = factor[i * width + i]!
      if (pivot === 0) continue
      let sum = gram[i * width + j]!
      for (let k = 0; k < i; k++) sum -= factor[i * width + k]! * factor[j * width + k]!
      const value = sum / pivot
      factor[j * width + i] = value
      rest -= value * value
    }
    if (!(rest > length * 1e-12)) continue
    if (rest < length * 1e-6) isSteady = false
    factor[j * width + j] = Math.sqrt(rest)
  }
  for (let j = 0; j < width; j++) {
    const pivot = factor[j * width + j]!
    if (pivot === 0) continue
    const row = j * width
    // Column j of the inverse: −(Σ over i < j of column i of the inverse · factor[i, j]) / pivot.
    for (let i = 0; i < j; i++) {
      const share = factor[row + i]! / pivot
      if (share === 0) continue
      for (let k = 0; k <= i; k++) inverse[row + k]! -= inverse[i * width + k]! * share
    }
    inverse[row + j] = 1 / pivot
  }
  return { inverse, isSteady }
}

/** matrix ← matrix · inverseᵀ, where row j of `inverse` ends at its diagonal. */
function* multiplyRows(matrix: Panels, inverse: Float64Array, width: number): Generator<void> {
  const strip = new Float64Array(stripRows * width)
  for (let row = 0, strips = 1; row < matrix.rows; row += stripRows, strips++) {
    readStrip(matrix, row, strip, width)
    const rows = Math.min(stripRows, matrix.rows - row)
    for (let column = 0; column < width; column += 2) {
      for (let r = 0; r < rows; r += 4) multiplyTile(matrix, row + r, strip, r * width, inverse, column, width)
    }
    if (strips % stripsPerSlice === 0) yield
  }
}

function multiplyTile(
  matrix: Panels,
  row: number,
  strip: Float64Array,
  at: number,
  inverse: Float64Array,
  column: number,
  width: number,
): void {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let e = 0
  let f = 0
  let g = 0
  let h = 0
  const leftRow = column * width
  const rightRow = leftRow + width
  // One column beyond the left row's diagonal there is a zero, so both columns share the loop.
  for (let k = 0; k <= column + 1; k++) {
    const left = inverse[leftRow + k]!
    const right = inverse[rightRow + k]!
    const first = strip[at + k]!
    const second = strip[at + width + k]!
    const third = strip[at + 2 * width + k]!
    const fourth = strip[at + 3 * width + k]!
    a += first * left
    b += first * right
    c += second * left
    d += second * right
    e += third * left
    f += third * right
    g += fourth * left
    h += fourth * right
  }
  const { values, rows } = matrix
  const place = (Math.floor(column / panelWidth) * rows + row) * panelWidth + (column % panelWidth)
  values[place] = a
  values[place + 1] = b
  if (row + 1 >= rows) return
  values[place + panelWidth] = c
  values[place + panelWidth + 1] = d
  if (row + 2 >= rows) return
  values[place + 2 * panelWidth] = e
  values[place + 2 * panelWidth + 1] = f
  if (row + 3 >= rows) return
  values[place + 3 * panelWidth] = g
  values[place + 3 * panelWidth + 1] = h
}

/** Rows from `row` on, side by side across the panels; rows after the last are zero. */
function readStrip({ values, rows, count }: Panels, row: number, strip: Float64Array, width: number): void {
  const available = Math.min(stripRows, rows - row)
  if (available < stripRows) strip.fill(0)
  for (let panel = 0; panel < count; panel++) {
    let from = (panel * rows + row) * panelWidth
    for (let r = 0; r < available; r++) {
      const to = r * width + panel * panelWidth
      for (let c = 0; c < panelWidth; c++) strip[to + c] = values[from++]!
    }
  }
}
