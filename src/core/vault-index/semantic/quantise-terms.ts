import type { LsaModel } from './lsa-model.js'
import { type Panels, panelWidth } from './panels.js'

/** A model from the orthonormal basis of its space: each term's row in 8 bits per dimension. */
export function* quantiseTerms(
  basis: Panels,
  dimension: number,
  terms: string[],
  idf: Float32Array,
): Generator<void, LsaModel> {
  const vectors = new Int8Array(terms.length * dimension)
  const scales = new Float32Array(terms.length)
  const row = new Float64Array(basis.count * panelWidth)
  const print = fingerprint()
  for (let term = 0; term < terms.length; term++) {
    for (let panel = 0; panel < basis.count; panel++) {
      const from = (panel * basis.rows + term) * panelWidth
      for (let column = 0; column < panelWidth; column++) row[panel * panelWidth + column] = basis.values[from + column]
    }
    let largest = 0
    for (let column = 0; column < dimension; column++) largest = Math.max(largest, Math.abs(row[column]))
    if (largest > 0) scales[term] = largest / 127
    for (let column = 0; column < dimension; column++) {
      const value = largest > 0 ? Math.round((row[column] / largest) * 127) : 0
      vectors[term * dimension + column] = value
      print.add(value)
    }
    for (let i = 0; i < terms[term].length; i++) print.add(terms[term].charCodeAt(i))
    if (term % 512 === 511) yield
  }
  for (const part of [idf, scales]) for (const word of new Int32Array(part.buffer)) print.add(word)
  return { id: `lsa-${dimension}-${print.text()}`, dimension, terms, idf, vectors, scales }
}

/** Two 32-bit sums over everything that decides a score: enough to tell the models of one vault apart. */
function fingerprint(): { add(value: number): void; text(): string } {
  let first = 0x811c9dc5
  let second = 0x1b873593
  return {
    add(value) {
      first = Math.imul(first ^ value, 0x01000193)
      second = Math.imul((second << 5) ^ (second >>> 27) ^ value, 0x5bd1e995)
    },
    text: () => [first, second].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join(''),
  }
}
