import type { Segment } from './segment.js'
import { VarintReader } from './varint.js'

/** Marks the live notes that hold every phrase as it stands, word beside word. undefined when there is none. */
export function notesWithPhrases(
  segment: Segment,
  phrases: readonly (readonly Uint8Array[])[],
): Uint8Array | undefined {
  let marks: Uint8Array | undefined
  for (const phrase of phrases) {
    const words = phrase.map((bytes) => segment.findWord(bytes))
    if (words.includes(-1)) return undefined
    marks = notesWithRow(segment, words, notesWithAll(segment, words, marks))
    if (marks === undefined) return undefined
  }
  return marks
}

/** Notes that hold the stems of all these words, among those already marked. */
export function notesWithAll(segment: Segment, words: readonly number[], within: Uint8Array | undefined): Uint8Array {
  const { wordStems, postingOffsets, unitNotes } = segment.arrays
  let marks = within ?? segment.dead.map((isDead) => 1 - isDead)
  for (const stem of new Set(words.map((word) => wordStems[word]))) {
    const both = new Uint8Array(segment.noteCount)
    const reader = new VarintReader(segment.postingsOf(stem), postingOffsets[stem])
    let unit = 0
    while (reader.at < postingOffsets[stem + 1]) {
      const value = reader.next()
      unit += value >>> 1
      if ((value & 1) === 0) reader.next()
      both[unitNotes[unit]] = marks[unitNotes[unit]]
    }
    marks = both
  }
  return marks
}

function notesWithRow(segment: Segment, words: readonly number[], marks: Uint8Array): Uint8Array | undefined {
  const row = Int32Array.from(words)
  const fallbacks = fallbacksOf(row)
  let isAny = false
  for (let note = 0; note < marks.length; note++) {
    if (marks[note] === 0) continue
    if (holdsRow(segment, note, row, fallbacks)) isAny = true
    else marks[note] = 0
  }
  return isAny ? marks : undefined
}

/** How much of the row is still matched when the next word does not fit: each word is read once (Knuth–Morris–Pratt). */
function fallbacksOf(row: Int32Array): Int32Array {
  const fallbacks = new Int32Array(row.length)
  let matched = 0
  for (let at = 1; at < row.length; at++) {
    while (matched > 0 && row[at] !== row[matched]) matched = fallbacks[matched - 1]
    if (row[at] === row[matched]) matched++
    fallbacks[at] = matched
  }
  return fallbacks
}

function holdsRow(segment: Segment, note: number, row: Int32Array, fallbacks: Int32Array): boolean {
  const { noteUnits, unitStreams } = segment.arrays
  const stream = segment.streamOf(noteUnits[note], noteUnits[note + 1])
  for (let unit = noteUnits[note]; unit < noteUnits[note + 1]; unit++) {
    const end = unitStreams[unit + 1]
    let at = unitStreams[unit]
    let matched = 0
    while (at < end) {
      let byte = stream[at++]
      let word = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = stream[at++]
        word |= (byte & 127) << shift
      }
      while (matched > 0 && word !== row[matched]) matched = fallbacks[matched - 1]
      if (word === row[matched] && ++matched === row.length) return true
    }
  }
  return false
}
