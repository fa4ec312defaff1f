import { notesWithPhrases } from './phrase.js'
import type { Segment } from './segment.js'
import { stemOf } from './stem.js'
import { wordsOf } from './tokens.js'
import { unitsWithStem } from './word-row.js'

/** Ids of the live notes, among those allowed, that hold none of these words, in any form, and phrases; ascending. */
export function notesWithout(segments: readonly Segment[], texts: readonly string[], allowed?: Int32Array): Int32Array {
  const rows = texts.map((text) => wordsOf(text)).filter((row) => row.length > 0)
  const isAllowed = allowed === undefined ? undefined : new Set(allowed)
  const ids: number[] = []
  for (const segment of segments) {
    const holders = rows.map((row) => (row.length === 1 ? notesWithForms(segment, row[0]) : notesWithRow(segment, row)))
    for (const [note, id] of segment.arrays.noteIds.entries()) {
      if (segment.dead[note] === 1 || isAllowed?.has(id) === false) continue
      if (!holders.some((marks) => marks?.[note] === 1)) ids.push(id)
    }
  }
  return Int32Array.from(ids).sort()
}

const encoder = new TextEncoder()

function notesWithRow(segment: Segment, row: readonly string[]): Uint8Array | undefined {
  return notesWithPhrases(segment, [row.map((word) => encoder.encode(word))])
}

/** Who leaves out `leek` leaves out `leeks`. */
function notesWithForms(segment: Segment, word: string): Uint8Array | undefined {
  const stem = segment.findStem(encoder.encode(stemOf(word)))
  if (stem < 0) return undefined
  const marks = new Uint8Array(segment.noteCount)
  for (const unit of unitsWithStem(segment, stem)) marks[segment.arrays.unitNotes[unit]] = 1
  return marks
}
