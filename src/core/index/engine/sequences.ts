import type { Query } from './analyze-query.js'
import { type Collection, nameRarity, rarity } from './collection.js'
import type { RankingWeights } from './ranking-weights.js'
import type { Segment } from './segment.js'
import { stemOf } from './stem.js'
import { wordsOf } from './words.js'

// `!` is used on arrays of a segment at its own notes and units, and on pairs of a unit and its count, two numbers
// each.

/**
 * Scores sequences of words that count as one term (parts of an identifier, a version or a date) where they occur side
 * by side. A sequence is weighted like a word found in as many notes: parts may be common where the whole is rare.
 */
export function scoreSequences(
  segments: readonly Segment[],
  query: Query,
  collection: Collection,
  ranking: RankingWeights,
): void {
  for (const { words, share } of query.sequences) {
    const found = segments.map((segment) => findSequence(segment, words, ranking.readLimit))
    let notes = 0
    let names = 0
    for (const matches of found) {
      notes += matches.notes
      names += matches.names
    }
    if (notes === 0) continue
    const weight = ranking.sequences * share * rarity(collection.notes, notes)
    const nameWeight = names === 0 ? 0 : ranking.sequences * share * ranking.names * nameRarity(collection.notes, names)
    for (const [at, segment] of segments.entries())
      addSequenceScores(segment, found[at]!, weight, nameWeight, collection, ranking)
  }
}

/** Further occurrences in a passage are not counted. */
const mostCounted = 100

interface SequenceMatches {
  /** Unit and count, alternating, in order of units. */
  units: number[]
  notes: number
  names: number
}

function findSequence(segment: Segment, words: readonly Uint8Array[], readLimit: number): SequenceMatches {
  const matches: SequenceMatches = { units: [], notes: 0, names: 0 }
  const sequence = wordSequence(segment, words)
  if (sequence === undefined) return matches
  const { unitNotes, unitLengths, noteUnits } = segment.arrays
  let wordsRead = 0
  let last = -1
  for (const unit of unitsWithStems(segment, sequence)) {
    const note = unitNotes[unit]!
    if (segment.dead[note] === 1) continue
    if (wordsRead > readLimit) break
    wordsRead += unitLengths[unit]!
    const count = countSequence(segment, unit, sequence, mostCounted)
    if (count === 0) continue
    matches.units.push(unit, count)
    if (unit === noteUnits[note]) matches.names++
    if (note !== last) matches.notes++
    last = note
  }
  return matches
}

function addSequenceScores(
  segment: Segment,
  { units }: SequenceMatches,
  weight: number,
  nameWeight: number,
  collection: Collection,
  { k1, b, nameB, namesInChunks }: RankingWeights,
): void {
  const { unitNotes, noteUnits, unitLengths, noteLengths } = segment.arrays
  const { noteScores, unitScores } = segment
  const gain = (count: number, length: number, average: number, share: number) =>
    (count * (k1 + 1)) / (count + k1 * (1 - share + (share * length) / average))
  const passageLength = collection.chunkLength + (namesInChunks ? collection.nameLength : 0)
  for (let at = 0; at < units.length; ) {
    const note = unitNotes[units[at]!]!
    const names = noteUnits[note]!
    let total = 0
    let inNames = 0
    let nameScore = 0
    const from = at
    for (; at < units.length && unitNotes[units[at]!] === note; at += 2) total += units[at + 1]!
    if (units[from] === names) {
      inNames = units[from + 1]!
      nameScore = nameWeight * gain(inNames, unitLengths[names]!, collection.nameLength, nameB)
    }
    noteScores[note]! += nameScore + weight * gain(total, noteLengths[note]!, collection.noteLength, b)
    const counts = new Map<number, number>()
    for (let place = from; place < at; place += 2) counts.set(units[place]!, units[place + 1]!)
    for (let unit = names + 1; unit < segment.chunkEnd(note); unit++) {
      const count = (counts.get(unit) ?? 0) + (namesInChunks ? inNames : 0)
      if (count === 0) continue
      const length = unitLengths[unit]! + (namesInChunks ? unitLengths[names]! : 0)
      unitScores[unit]! += nameScore + weight * gain(count, length, passageLength, b)
    }
  }
}

/** Marks the live notes that contain every phrase. undefined if there is none. */
export function notesWithPhrases(
  segment: Segment,
  phrases: readonly (readonly Uint8Array[])[],
): Uint8Array | undefined {
  let marks: Uint8Array | undefined
  for (const phrase of phrases) {
    marks = notesWithPhrase(segment, phrase, marks)
    if (marks === undefined) return undefined
  }
  return marks
}

function notesWithPhrase(
  segment: Segment,
  phrase: readonly Uint8Array[],
  within: Uint8Array | undefined,
): Uint8Array | undefined {
  const sequence = wordSequence(segment, phrase)
  if (sequence === undefined) return undefined
  const marks = new Uint8Array(segment.noteCount)
  let isAny = false
  for (const unit of unitsWithStems(segment, sequence)) {
    const note = segment.arrays.unitNotes[unit]!
    if (marks[note] === 1 || segment.dead[note] === 1 || within?.[note] === 0) continue
    if (countSequence(segment, unit, sequence, 1) === 0) continue
    marks[note] = 1
    isAny = true
  }
  return isAny ? marks : undefined
}

/** Ids of the live, allowed notes that contain none of these words (in any form) and phrases; ascending. */
export function notesWithout(segments: readonly Segment[], texts: readonly string[], allowed?: Int32Array): Int32Array {
  const sequences = texts.map((text) => wordsOf(text)).filter((sequence) => sequence.length > 0)
  const isAllowed = allowed === undefined ? undefined : new Set(allowed)
  const ids: number[] = []
  for (const segment of segments) {
    const holders = sequences.map((sequence) =>
      sequence.length === 1 ? notesWithForms(segment, sequence[0]!) : notesWithSequence(segment, sequence),
    )
    for (const [note, id] of segment.arrays.noteIds.entries()) {
      if (segment.dead[note] === 1 || isAllowed?.has(id) === false) continue
      if (!holders.some((marks) => marks?.[note] === 1)) ids.push(id)
    }
  }
  return Int32Array.from(ids).sort()
}

const encoder = new TextEncoder()

function notesWithSequence(segment: Segment, sequence: readonly string[]): Uint8Array | undefined {
  return notesWithPhrases(segment, [sequence.map((word) => encoder.encode(word))])
}

/** Excluding `leek` also excludes `leeks`. */
function notesWithForms(segment: Segment, word: string): Uint8Array | undefined {
  const stem = segment.findStem(encoder.encode(stemOf(word)))
  if (stem < 0) return undefined
  const marks = new Uint8Array(segment.noteCount)
  for (const unit of unitsWithStem(segment, stem)) marks[segment.arrays.unitNotes[unit]!] = 1
  return marks
}

/** A sequence of words, prepared for matching in one segment. */
interface WordSequence {
  /** Word numbers in the segment. */
  words: Int32Array
  /** Failure function of Knuth–Morris–Pratt: length still matched when the next word differs. */
  fallbacks: Int32Array
}

/** Prepares a sequence for a segment; undefined if the segment lacks one of its words. */
export function wordSequence(segment: Segment, sequence: readonly Uint8Array[]): WordSequence | undefined {
  const words = Int32Array.from(sequence, (bytes) => segment.findWord(bytes))
  if (words.includes(-1)) return undefined
  const fallbacks = new Int32Array(words.length)
  let matched = 0
  for (let at = 1; at < words.length; at++) {
    while (matched > 0 && words[at] !== words[matched]) matched = fallbacks[matched - 1]!
    if (words[at] === words[matched]) matched++
    fallbacks[at] = matched
  }
  return { words, fallbacks }
}

/** Occurrences of the sequence in a unit, up to `most`; reads each word once. */
export function countSequence(
  segment: Segment,
  unit: number,
  { words, fallbacks }: WordSequence,
  most: number,
): number {
  const { unitStreams } = segment.arrays
  const stream = segment.streamOf(unit, unit + 1)
  const end = unitStreams[unit + 1]!
  let at = unitStreams[unit]!
  let count = 0
  let matched = 0
  while (at < end) {
    let byte = stream[at++]!
    let word = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = stream[at++]!
      word |= (byte & 127) << shift
    }
    while (matched > 0 && word !== words[matched]) matched = fallbacks[matched - 1]!
    if (word !== words[matched]) continue
    if (++matched < words.length) continue
    if (++count === most) return count
    matched = fallbacks[matched - 1]!
  }
  return count
}

/** Units that contain the stems of all words of a sequence, ascending. Names are units, too. */
export function unitsWithStems(segment: Segment, { words }: WordSequence): Int32Array {
  const { wordStems, postingOffsets } = segment.arrays
  const size = (stem: number) => postingOffsets[stem + 1]! - postingOffsets[stem]!
  const stems = [...new Set(Array.from(words, (word) => wordStems[word]!))].sort((a, b) => size(a) - size(b))
  let units: Int32Array | undefined
  for (const stem of stems) units = unitsWithStem(segment, stem, units)
  return units ?? new Int32Array(0)
}

/** Units that contain the stem, restricted to `within`; ascending. */
function unitsWithStem(segment: Segment, stem: number, within?: Int32Array): Int32Array {
  const { postingOffsets } = segment.arrays
  const postings = segment.postingsOf(stem)
  const end = postingOffsets[stem + 1]!
  let at = postingOffsets[stem]!
  // A posting takes at least one byte.
  const found = new Int32Array(within?.length ?? end - at)
  let size = 0
  let unit = 0
  let next = 0
  while (at < end && next < (within?.length ?? Number.POSITIVE_INFINITY)) {
    let byte = postings[at++]!
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = postings[at++]!
      value |= (byte & 127) << shift
    }
    unit += value >>> 1
    // An even value is followed by a count.
    if ((value & 1) === 0) while (postings[at++]! > 127);
    if (within === undefined) {
      found[size++] = unit
      continue
    }
    while (next < within.length && within[next]! < unit) next++
    if (within[next] === unit) found[size++] = unit
  }
  return found.subarray(0, size)
}
