import type { FitInput } from '../../src/core/index/semantic/fit-lsa.js'
import type { LsaModel } from '../../src/core/index/semantic/lsa-model.js'
import { randomSource } from '../../src/core/index/semantic/portable-math.js'
import type { ModelTerm } from '../../src/core/index/semantic/project-into-model.js'

/** Units about `topics` subjects: each has its own words, and now and then one of another subject slips in. */
export function toyVault(topics: number, unitsPerTopic: number, seed = 7): FitInput {
  const wordsPerTopic = 6
  const random = randomSource(seed)
  const rows: Map<number, number>[] = []
  for (let unit = 0; unit < topics * unitsPerTopic; unit++) {
    const counts = new Map<number, number>()
    const topic = unit % topics
    for (let word = 0; word < 12; word++) add(counts, topic * wordsPerTopic + Math.floor(random() * wordsPerTopic))
    if (random() < 0.2) add(counts, Math.floor(random() * topics * wordsPerTopic))
    rows.push(counts)
  }
  return fitInput(
    rows,
    Array.from({ length: topics * wordsPerTopic }, (_, word) => `word${word}`),
  )
}

export function fitInput(rows: Map<number, number>[], terms: string[]): FitInput {
  const documentFrequency = new Int32Array(terms.length)
  const rowStart = [0]
  for (const row of rows) {
    for (const term of row.keys()) documentFrequency[term]++
    rowStart.push(rowStart[rowStart.length - 1] + row.size)
  }
  return {
    rows: {
      rowStart: Int32Array.from(rowStart),
      terms: Int32Array.from(rows.flatMap((row) => [...row.keys()])),
      counts: Uint16Array.from(rows.flatMap((row) => [...row.values()])),
    },
    terms,
    documentFrequency,
    unitCount: rows.length,
  }
}

export function runFit(fit: Generator<number, LsaModel>): LsaModel {
  for (;;) {
    const { done, value } = fit.next()
    if (done) return value
  }
}

function add(counts: Map<number, number>, term: number): void {
  counts.set(term, (counts.get(term) ?? 0) + 1)
}

/** Words of a query with how often it says each, all of them about the matter. */
export function askedTerms(counts: Iterable<readonly [string, number]>): ModelTerm[] {
  return Array.from(counts, ([text, count]) => ({ text, count, share: 1, words: 1 }))
}

/** Eigenvectors of the symmetric `matrix`, strongest first, by Jacobi rotations: slow, simple, and exact enough to judge by. */
export function eigenvectors(matrix: number[][]): number[][] {
  const size = matrix.length
  const a = matrix.map((row) => [...row])
  const vectors: number[][] = a.map((_, i) => a.map((_, j) => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        off += a[p][q] ** 2
        if (Math.abs(a[p][q]) < 1e-15) continue
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
        const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const cosine = 1 / Math.sqrt(tangent * tangent + 1)
        const sine = tangent * cosine
        for (let k = 0; k < size; k++) {
          ;[a[k][p], a[k][q]] = [cosine * a[k][p] - sine * a[k][q], sine * a[k][p] + cosine * a[k][q]]
        }
        for (let k = 0; k < size; k++) {
          ;[a[p][k], a[q][k]] = [cosine * a[p][k] - sine * a[q][k], sine * a[p][k] + cosine * a[q][k]]
          ;[vectors[k][p], vectors[k][q]] = [
            cosine * vectors[k][p] - sine * vectors[k][q],
            sine * vectors[k][p] + cosine * vectors[k][q],
          ]
        }
      }
    }
    if (off < 1e-24) break
  }
  const order = a.map((_, i) => i).sort((i, j) => a[j][j] - a[i][i])
  return order.map((column) => vectors.map((row) => row[column]))
}
