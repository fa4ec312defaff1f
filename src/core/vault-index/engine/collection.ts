import type { Segment } from './segment.js'

/** Counts over all live notes of all segments: what makes scores of different segments comparable. */
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

/** At least 1, as it is divided by. */
const average = (total: number, count: number): number => Math.max(1, total / Math.max(1, count))

/** Words in more than half of the notes weigh nothing: no language needs a list of stop words. */
export const flooredWeight = 1e-6

export function rarity(notes: number, holders: number): number {
  return Math.max(Math.log((notes - holders + 0.5) / (holders + 0.5)), flooredWeight)
}

export function nameRarity(notes: number, holders: number): number {
  return Math.log(1 + (notes - holders + 0.5) / (holders + 0.5))
}
