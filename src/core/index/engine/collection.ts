import type { Segment } from './segment.js'

/** Totals over the live notes of all segments, so that scores of different segments are comparable. */
export interface Collection {
  notes: number
  chunks: number
  noteLength: number
  nameLength: number
  chunkLength: number
}

export function collectionOf(segments: readonly Segment[]): Collection {
  let notes = 0
  let chunks = 0
  let tokens = 0
  let nameTokens = 0
  let chunkTokens = 0
  for (const segment of segments) {
    notes += segment.liveNotes
    chunks += segment.liveChunks
    tokens += segment.liveTokens
    nameTokens += segment.liveNameTokens
    chunkTokens += segment.liveChunkTokens
  }
  return {
    notes,
    chunks,
    noteLength: average(tokens, notes),
    nameLength: average(nameTokens, notes),
    chunkLength: average(chunkTokens, chunks),
  }
}

/** At least 1, because it is used as a divisor. */
const average = (total: number, count: number): number => Math.max(1, total / Math.max(1, count))

/** Words in more than half of the notes have no weight, which replaces a list of stop words. */
export const flooredWeight = 1e-6

export function rarity(notes: number, holders: number): number {
  return Math.max(Math.log((notes - holders + 0.5) / (holders + 0.5)), flooredWeight)
}

export function nameRarity(notes: number, holders: number): number {
  return Math.log(1 + (notes - holders + 0.5) / (holders + 0.5))
}

/** Accumulates mean and standard deviation. */
export class MeanAndDeviation {
  private sum = 0
  private squares = 0
  private count = 0

  add(value: number): void {
    this.sum += value
    this.squares += value * value
    this.count++
  }

  /** Adds numbers given as their sums. */
  addMany(sum: number, squares: number, count: number): void {
    this.sum += sum
    this.squares += squares
    this.count += count
  }

  done(least = 1e-3): { mean: number; deviation: number } {
    const count = Math.max(1, this.count)
    const mean = this.sum / count
    const variance = this.squares / count - mean * mean
    // Nearly equal scores (a query of words without weight) must not produce large standard scores.
    return { mean, deviation: Math.max(least, Math.sqrt(Math.max(0, variance))) }
  }
}

export type Scale = ReturnType<MeanAndDeviation['done']>

export function standardScore(value: number, { mean, deviation }: Scale): number {
  return (value - mean) / deviation
}
