import { describe, expect, it } from 'vitest'
import { type Panels, panelWidth } from './matrices.js'
import { orthonormalise } from './orthonormalise.js'
import { randomSource } from './portable-math.js'

describe('orthonormalise', () => {
  it('makes columns of length 1 at right angles', () => {
    const matrix = matrixOf(101, 2, randomColumn())
    run(matrix)
    expectProducts(matrix, (i, j) => (i === j ? 1 : 0))
  })

  it('keeps the space: an old column is the sum of its shares in the new ones', () => {
    const matrix = matrixOf(57, 1, randomColumn())
    const old = columnsOf(matrix)[9]
    run(matrix)
    const rebuilt = old.map(() => 0)
    for (const column of columnsOf(matrix)) {
      const share = product(column, old)
      column.forEach((value, i) => {
        rebuilt[i] += share * value
      })
    }
    rebuilt.forEach((value, i) => {
      expect(value).toBeCloseTo(old[i], 4)
    })
  })

  it('turns columns that others already span into zeros', () => {
    const random = randomColumn()
    const matrix = matrixOf(60, 2, (row, column) => (column < 5 ? random(row, column) : (row % 7) - 3 + column))
    run(matrix)
    // Five random columns, then multiples of a ramp and a constant: seven directions.
    expectProducts(matrix, (i, j) => (i === j && i < 7 ? 1 : 0))
  })

  it('separates nearly parallel columns', () => {
    const random = randomColumn()
    const matrix = matrixOf(200, 1, (row, column) => Math.sin(row) + 0.0005 * random(row, column))
    run(matrix)
    expectProducts(matrix, (i, j) => (i === j ? 1 : 0))
  })

  it('leaves a matrix of zeros, and one without rows, as it is', () => {
    for (const rows of [0, 5]) {
      const matrix = matrixOf(rows, 1, () => 0)
      run(matrix)
      expect([...matrix.values].every((value) => value === 0)).toBe(true)
    }
  })
})

function run(matrix: Panels): void {
  for (const _ of orthonormalise(matrix));
}

function randomColumn(): (row: number, column: number) => number {
  const random = randomSource(3)
  return () => random() * 2 - 1
}

function matrixOf(rows: number, count: number, value: (row: number, column: number) => number): Panels {
  const values = new Float32Array(rows * count * panelWidth)
  for (let column = 0; column < count * panelWidth; column++) {
    const panel = Math.floor(column / panelWidth)
    for (let row = 0; row < rows; row++) {
      values[(panel * rows + row) * panelWidth + (column % panelWidth)] = value(row, column)
    }
  }
  return { rows, count, values }
}

function columnsOf({ rows, count, values }: Panels): number[][] {
  return Array.from({ length: count * panelWidth }, (_, column) =>
    Array.from({ length: rows }, (_, row) => {
      return values[(Math.floor(column / panelWidth) * rows + row) * panelWidth + (column % panelWidth)]
    }),
  )
}

function expectProducts(matrix: Panels, expected: (i: number, j: number) => number): void {
  const columns = columnsOf(matrix)
  columns.forEach((a, i) => {
    columns.forEach((b, j) => {
      expect(product(a, b)).toBeCloseTo(expected(i, j), 4)
    })
  })
}

function product(a: number[], b: number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0)
}
