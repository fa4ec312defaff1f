import type { Segment } from './segment.js'
import { countRow, unitsWithStemsOf, wordRow } from './word-row.js'

/** Marks the live notes that hold every phrase as it stands, word beside word. undefined when there is none. */
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
  const row = wordRow(segment, phrase)
  if (row === undefined) return undefined
  const marks = new Uint8Array(segment.noteCount)
  let isAny = false
  for (const unit of unitsWithStemsOf(segment, row)) {
    const note = segment.arrays.unitNotes[unit]
    if (marks[note] === 1 || segment.dead[note] === 1 || within?.[note] === 0) continue
    if (countRow(segment, unit, row, 1) === 0) continue
    marks[note] = 1
    isAny = true
  }
  return isAny ? marks : undefined
}
