import { notesWithPhrases } from './phrase.js'
import type { Segment } from './segment.js'
import { wordsOf } from './tokens.js'

/** Ids of the live notes, among those allowed, that hold none of these words and phrases; ascending. */
export function notesWithout(segments: readonly Segment[], texts: readonly string[], allowed?: Int32Array): Int32Array {
  const rows = texts.map((text) => wordsOf(text).map((word) => encoder.encode(word))).filter((row) => row.length > 0)
  const isAllowed = allowed === undefined ? undefined : new Set(allowed)
  const ids: number[] = []
  for (const segment of segments) {
    const holders = rows.map((row) => notesWithPhrases(segment, [row]))
    for (const [note, id] of segment.arrays.noteIds.entries()) {
      if (segment.dead[note] === 1 || isAllowed?.has(id) === false) continue
      if (!holders.some((marks) => marks?.[note] === 1)) ids.push(id)
    }
  }
  return Int32Array.from(ids).sort()
}

const encoder = new TextEncoder()
