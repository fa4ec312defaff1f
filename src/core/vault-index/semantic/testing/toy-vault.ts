import type { FitInput } from '../fit-lsa.js'
import type { LsaModel } from '../lsa-model.js'
import { randomSource } from '../random-source.js'

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
