import { Failure } from '../../errors.js'

/** A direction in 8 bits per dimension: `values[i] * scale` is the unit-length vector. A scale of 0 means no direction. */
export interface QuantisedVector {
  values: Int8Array
  scale: number
}

/** Keeps only a vector's direction: the largest component becomes ±127, the scale makes the length 1. */
export function quantise(vector: Float32Array): QuantisedVector {
  const values = new Int8Array(vector.length)
  return { values, scale: quantiseInto(vector, values, 0) }
}

/** Writes the direction of `vector` at `out[at…]` and answers its scale; 0 for a vector of zeros. */
export function quantiseInto(vector: Float32Array | Float64Array | Int32Array, out: Int8Array, at: number): number {
  let largest = 0
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i])
    if (!(size < Number.POSITIVE_INFINITY))
      throw new Failure('invalid-input', 'A vector holds a value that is not a finite number.')
    if (size > largest) largest = size
  }
  if (largest === 0) {
    out.fill(0, at, at + vector.length)
    return 0
  }
  // Divided before multiplied: 127 / largest overflows for the smallest numbers.
  let squares = 0
  for (let i = 0; i < vector.length; i++) {
    const value = roundHalfAway((vector[i] / largest) * 127)
    out[at + i] = value
    squares += value * value
  }
  return Math.fround(1 / Math.sqrt(squares))
}

function roundHalfAway(value: number): number {
  return value < 0 ? -Math.floor(0.5 - value) : Math.floor(value + 0.5)
}
