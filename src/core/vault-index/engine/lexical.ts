import { type Collection, flooredWeight, nameRarity, rarity } from './collection.js'
import type { QueryStem } from './query.js'
import type { Recipe } from './recipe.js'
import type { Segment } from './segment.js'

/** Below this many notes common words are scored too: it costs nothing there and breaks ties. */
const smallVault = 1000

/** Pieces of a word of usual length. */
const usualPieces = 5

/** Of a question, what is scored here. */
interface Asked {
  readonly stems: readonly QueryStem[]
}

interface WeighedStem {
  text: string
  weight: number
  nameWeight: number
  isFunction: boolean
  /** Number of the stem in each segment, -1 where it is missing. */
  numbers: number[]
}

/**
 * Scores every note and chunk by the stems it shares with the query, into the segments' score arrays. One pass over
 * each posting list serves three fields: a note's counts are the sums of its units', and its names are its first unit.
 * Answers the score of a note or passage that says all of it: what the scores are measured against.
 */
export function scoreStems(segments: readonly Segment[], query: Asked, collection: Collection, recipe: Recipe): number {
  for (const segment of segments) {
    segment.noteScores.fill(0)
    segment.unitScores.fill(0)
  }
  const found = weighStems(segments, query, collection, recipe)
  const telling = found.filter(
    ({ weight, nameWeight, isFunction }) => weight > flooredWeight || (nameWeight > flooredWeight && !isFunction),
  )
  const used = telling.length > 0 && collection.notes > smallVault ? telling : found
  const asks = used.some(({ isFunction }) => isFunction)
  const named = segments.map(({ noteCount }) => (asks ? new Uint8Array(noteCount) : undefined))
  // Those that say what is asked for come first: they tell in which names the others count.
  for (const stem of [...used].sort((a, b) => Number(a.isFunction) - Number(b.isFunction))) {
    for (const [at, number] of stem.numbers.entries()) {
      if (number >= 0) scoreStem(segments[at], number, stem, named[at], collection, recipe)
    }
  }
  return bestScore(query, found, collection, recipe)
}

/** A note that is all about the query: each of its words often, in its names too, and those the vault does not have. */
function bestScore(query: Asked, found: readonly WeighedStem[], { notes }: Collection, recipe: Recipe): number {
  const known = found.reduce((sum, { weight }) => sum + weight, 0)
  const fields = 1 + recipe.surface + recipe.names + recipe.subword * usualPieces
  const missing = query.stems.filter(({ text }) => !found.some((stem) => stem.text === text))
  const unknown = missing.reduce((sum, { share, words }) => sum + share * words * rarity(notes, 0), 0)
  return (known + unknown) * (recipe.k1 + 1) * fields
}

function weighStems(segments: readonly Segment[], query: Asked, collection: Collection, recipe: Recipe): WeighedStem[] {
  const found: WeighedStem[] = []
  for (const term of query.stems) {
    const numbers = segments.map((segment) => segment.findStem(term.bytes))
    let notes = 0
    let names = 0
    for (const [at, number] of numbers.entries()) {
      if (number < 0) continue
      notes += segments[at].notesWithStem(number)
      names += segments[at].namesWithStem(number)
    }
    if (notes === 0) continue
    const repeated = (term.count * (recipe.k3 + 1)) / (term.count + recipe.k3)
    const weight = rarity(collection.notes, notes)
    // What no other form shares a stem with needs no second look: its postings count for all three fields.
    const fields = term.isPair && weight > flooredWeight ? 1 + recipe.surface + recipe.subword : 1
    found.push({
      text: term.text,
      weight: weight * fields * repeated * term.share,
      nameWeight: names === 0 ? 0 : nameRarity(collection.notes, names) * repeated * recipe.names * term.share,
      isFunction: term.isFunction,
      numbers,
    })
  }
  return found
}

function scoreStem(
  segment: Segment,
  stem: number,
  { weight, nameWeight, isFunction }: WeighedStem,
  /** The notes in whose names a word stands that says what is asked for; undefined when all words do. */
  named: Uint8Array | undefined,
  collection: Collection,
  { k1, b, nameB, namesInChunks }: Recipe,
): void {
  const postings = segment.postingsOf(stem)
  const { postingOffsets, unitNotes, unitLengths, noteUnits, noteChunks, noteLengths } = segment.arrays
  const { noteScores, unitScores } = segment
  const gain = weight * (k1 + 1)
  const base = k1 * (1 - b)
  const noteSlope = (k1 * b) / collection.noteLength
  const chunkSlope = (k1 * b) / (collection.chunkLength + (namesInChunks ? collection.nameLength : 0))
  const end = postingOffsets[stem + 1]
  let at = postingOffsets[stem]
  let unit = 0
  let note = -1
  let noteEnd = 0
  let chunkEnd = 0
  let noteCount = 0
  let nameCount = 0
  let nameLength = 0
  while (at < end) {
    let byte = postings[at++]
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = postings[at++]
      value |= (byte & 127) << shift
    }
    unit += value >>> 1
    let count = 1
    if ((value & 1) === 0) {
      byte = postings[at++]
      count = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++]
        count |= (byte & 127) << shift
      }
    }
    if (unit >= noteEnd) {
      if (note >= 0) noteScores[note] += (gain * noteCount) / (noteCount + base + noteSlope * noteLengths[note])
      note = unitNotes[unit]
      noteEnd = noteUnits[note + 1]
      chunkEnd = noteUnits[note] + 1 + noteChunks[note + 1] - noteChunks[note]
      noteCount = 0
      nameCount = 0
      nameLength = namesInChunks ? unitLengths[noteUnits[note]] : 0
      if (unit === noteUnits[note]) {
        const nameNorm = k1 * (1 - nameB + (nameB * unitLengths[unit]) / collection.nameLength)
        if (named !== undefined && !isFunction) named[note] = 1
        // A name that shares with the question only how it is put is not what the question is about.
        const nameScore = named?.[note] === 0 ? 0 : (nameWeight * (k1 + 1) * count) / (count + nameNorm)
        noteScores[note] += nameScore
        noteCount = count
        if (namesInChunks) {
          nameCount = count
          for (let chunk = unit + 1; chunk < chunkEnd; chunk++) {
            const norm = base + chunkSlope * (unitLengths[chunk] + nameLength)
            unitScores[chunk] += nameScore + (gain * count) / (count + norm)
          }
        }
        continue
      }
    }
    noteCount += count
    if (unit >= chunkEnd) continue
    const norm = base + chunkSlope * (unitLengths[unit] + nameLength)
    unitScores[unit] += (gain * (count + nameCount)) / (count + nameCount + norm)
    if (nameCount > 0) unitScores[unit] -= (gain * nameCount) / (nameCount + norm)
  }
  if (note >= 0) noteScores[note] += (gain * noteCount) / (noteCount + base + noteSlope * noteLengths[note])
}
