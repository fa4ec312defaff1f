import type { LsaModel } from './lsa-model.js'
import { type Panels, panelWidth } from './panels.js'

/** A model from the orthonormal basis of its space: each term's row in 8 bits per dimension. */
export function quantiseTerms(basis: Panels, dimension: number, terms: string[], idf: Float32Array): LsaModel {
  const vectors = new Int8Array(terms.length * dimension)
  const scales = new Float32Array(terms.length)
  const row = new Float64Array(dimension)
  for (let term = 0; term < terms.length; term++) {
    let largest = 0
    for (let column = 0; column < dimension; column++) {
      const panel = Math.floor(column / panelWidth)
      const value = basis.values[(panel * basis.rows + term) * panelWidth + (column % panelWidth)]
      row[column] = value
      largest = Math.max(largest, Math.abs(value))
    }
    if (largest === 0) continue
    scales[term] = largest / 127
    for (let column = 0; column < dimension; column++) {
      vectors[term * dimension + column] = Math.round((row[column] / largest) * 127)
    }
  }
  return { id: `lsa-${dimension}-${fingerprint(terms, idf, vectors, scales)}`, dimension, terms, idf, vectors, scales }
}

/** Two 32-bit sums over everything that decides a score: enough to tell the models of one vault apart. */
function fingerprint(terms: string[], idf: Float32Array, vectors: Int8Array, scales: Float32Array): string {
  let first = 0x811c9dc5
  let second = 0x1b873593
  const add = (value: number) => {
    first = Math.imul(first ^ value, 0x01000193)
    second = Math.imul((second << 5) ^ (second >>> 27) ^ value, 0x5bd1e995)
  }
  for (const term of terms) {
    for (let i = 0; i < term.length; i++) add(term.charCodeAt(i))
    add(-1)
  }
  for (const part of [idf, scales])
    for (const word of new Int32Array(part.buffer, part.byteOffset, part.length)) add(word)
  for (let i = 0; i < vectors.length; i++) add(vectors[i])
  return [first, second].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('')
}
