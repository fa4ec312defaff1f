import type { QueryStem } from './analyze-query.js'
import { type Collection, flooredWeight, nameRarity, rarity } from './collection.js'
import type { RankingWeights } from './ranking-weights.js'
import type { Segment } from './segment.js'

// `!` is used on arrays of a segment at its own notes and units, and on postings between the offsets of a stem.

/** In smaller vaults common words are scored too, which is cheap there and breaks ties. */
const smallVault = 1000

/** Grams of a word of average length. */
const usualGrams = 5

/** The part of a query that is scored here. */
interface StemQuery {
  readonly stems: readonly QueryStem[]
}

interface WeightedStem {
  text: string
  weight: number
  nameWeight: number
  isFunction: boolean
  /** Number of the stem in each segment, or -1. */
  numbers: number[]
}

/**
 * Scores every note and chunk by the stems it shares with the query, into the segments' score arrays. One pass over
 * each posting list serves three fields: a note's counts are the sums of its units', and its names are its first unit.
 * Returns the score of a full match, the reference for all scores.
 */
export function scoreStems(
  segments: readonly Segment[],
  query: StemQuery,
  collection: Collection,
  ranking: RankingWeights,
): number {
  for (const segment of segments) {
    segment.noteScores.fill(0)
    segment.unitScores.fill(0)
  }
  const found = weightStems(segments, query, collection, ranking)
  const distinctive = found.filter(
    ({ weight, nameWeight, isFunction }) => weight > flooredWeight || (nameWeight > flooredWeight && !isFunction),
  )
  const used = distinctive.length > 0 && collection.notes > smallVault ? distinctive : found
  const hasFunctionWords = used.some(({ isFunction }) => isFunction)
  const named = segments.map(({ noteCount }) => (hasFunctionWords ? new Uint8Array(noteCount) : undefined))
  // Content words first: they decide in which names function words count.
  for (const stem of [...used].sort((a, b) => Number(a.isFunction) - Number(b.isFunction))) {
    for (const [at, number] of stem.numbers.entries()) {
      if (number >= 0) scoreStem(segments[at]!, number, stem, named[at], collection, ranking)
    }
  }
  return fullMatchScore(query, found, collection, ranking)
}

/** The score of a note with each word of the query often and in its names, including words that the vault lacks. */
function fullMatchScore(
  query: StemQuery,
  found: readonly WeightedStem[],
  { notes }: Collection,
  ranking: RankingWeights,
): number {
  const known = found.reduce((sum, { weight }) => sum + weight, 0)
  const fields = 1 + ranking.surface + ranking.names + ranking.subword * usualGrams
  const missing = query.stems.filter(({ text }) => !found.some((stem) => stem.text === text))
  const unknown = missing.reduce((sum, { share, words }) => sum + share * words * rarity(notes, 0), 0)
  return (known + unknown) * (ranking.k1 + 1) * fields
}

function weightStems(
  segments: readonly Segment[],
  query: StemQuery,
  collection: Collection,
  ranking: RankingWeights,
): WeightedStem[] {
  const found: WeightedStem[] = []
  for (const term of query.stems) {
    const numbers = segments.map((segment) => segment.findStem(term.bytes))
    let notes = 0
    let names = 0
    for (const [at, number] of numbers.entries()) {
      if (number < 0) continue
      notes += segments[at]!.notesWithStem(number)
      names += segments[at]!.namesWithStem(number)
    }
    if (notes === 0) continue
    const repeated = (term.count * (ranking.k3 + 1)) / (term.count + ranking.k3)
    const weight = rarity(collection.notes, notes)
    // Unspaced pairs have identical stem, surface and gram, so their postings count for all three fields.
    const fields = term.isPair && weight > flooredWeight ? 1 + ranking.surface + ranking.subword : 1
    found.push({
      text: term.text,
      weight: weight * fields * repeated * term.share,
      nameWeight: names === 0 ? 0 : nameRarity(collection.notes, names) * repeated * ranking.names * term.share,
      isFunction: term.isFunction,
      numbers,
    })
  }
  return found
}

function scoreStem(
  segment: Segment,
  stem: number,
  { weight, nameWeight, isFunction }: WeightedStem,
  /** Notes whose names contain a content word of the query; undefined if the query has content words only. */
  named: Uint8Array | undefined,
  collection: Collection,
  { k1, b, nameB, namesInChunks }: RankingWeights,
): void {
  const postings = segment.postingsOf(stem)
  const { postingOffsets, unitNotes, unitLengths, noteUnits, noteChunks, noteLengths } = segment.arrays
  const { noteScores, unitScores } = segment
  const gain = weight * (k1 + 1)
  const base = k1 * (1 - b)
  const noteSlope = (k1 * b) / collection.noteLength
  const chunkSlope = (k1 * b) / (collection.chunkLength + (namesInChunks ? collection.nameLength : 0))
  const end = postingOffsets[stem + 1]!
  let at = postingOffsets[stem]!
  let unit = 0
  let note = -1
  let noteEnd = 0
  let chunkEnd = 0
  let noteCount = 0
  let nameCount = 0
  let nameLength = 0
  while (at < end) {
    let byte = postings[at++]!
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = postings[at++]!
      value |= (byte & 127) << shift
    }
    unit += value >>> 1
    let count = 1
    if ((value & 1) === 0) {
      byte = postings[at++]!
      count = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++]!
        count |= (byte & 127) << shift
      }
    }
    if (unit >= noteEnd) {
      if (note >= 0) noteScores[note]! += (gain * noteCount) / (noteCount + base + noteSlope * noteLengths[note]!)
      note = unitNotes[unit]!
      noteEnd = noteUnits[note + 1]!
      chunkEnd = noteUnits[note]! + 1 + noteChunks[note + 1]! - noteChunks[note]!
      noteCount = 0
      nameCount = 0
      nameLength = namesInChunks ? unitLengths[noteUnits[note]!]! : 0
      if (unit === noteUnits[note]) {
        const nameNorm = k1 * (1 - nameB + (nameB * unitLengths[unit]!) / collection.nameLength)
        if (named !== undefined && !isFunction) named[note] = 1
        // A name that shares only function words with the query does not count.
        const nameScore = named?.[note] === 0 ? 0 : (nameWeight * (k1 + 1) * count) / (count + nameNorm)
        noteScores[note]! += nameScore
        noteCount = count
        if (namesInChunks) {
          nameCount = count
          for (let chunk = unit + 1; chunk < chunkEnd; chunk++) {
            const norm = base + chunkSlope * (unitLengths[chunk]! + nameLength)
            unitScores[chunk]! += nameScore + (gain * count) / (count + norm)
          }
        }
        continue
      }
    }
    noteCount += count
    if (unit >= chunkEnd) continue
    const norm = base + chunkSlope * (unitLengths[unit]! + nameLength)
    unitScores[unit]! += (gain * (count + nameCount)) / (count + nameCount + norm)
    if (nameCount > 0) unitScores[unit]! -= (gain * nameCount) / (nameCount + norm)
  }
  if (note >= 0) noteScores[note]! += (gain * noteCount) / (noteCount + base + noteSlope * noteLengths[note]!)
}
