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
function notesWithAll(segment: Segment, words: readonly number[], within: Uint8Array | undefined): Uint8Array {
  const { wordStems, postings, postingOffsets, unitNotes } = segment.arrays
  let marks = within ?? segment.dead.map((isDead) => 1 - isDead)
  for (const stem of new Set(words.map((word) => wordStems[word]))) {
    const both = new Uint8Array(segment.noteCount)
    const reader = new VarintReader(postings, postingOffsets[stem])
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
  let isAny = false
  for (let note = 0; note < marks.length; note++) {
    if (marks[note] === 0) continue
    if (holdsRow(segment, note, words)) isAny = true
    else marks[note] = 0
  }
  return isAny ? marks : undefined
}

function holdsRow(segment: Segment, note: number, words: readonly number[]): boolean {
  const { noteUnits, unitStreams, stream } = segment.arrays
  for (let unit = noteUnits[note]; unit < noteUnits[note + 1]; unit++) {
    const reader = new VarintReader(stream, unitStreams[unit])
    const end = unitStreams[unit + 1]
    while (reader.at < end) {
      if (reader.next() !== words[0]) continue
      const after = reader.at
      let matched = 1
      while (matched < words.length && reader.at < end && reader.next() === words[matched]) matched++
      if (matched === words.length) return true
      reader.at = after
    }
  }
  return false
}
