import { notesWithPhrases } from './phrase.js'
import type { Query } from './query.js'
import type { Segment } from './segment.js'

export interface Eligible {
  /** Whether a note may be shown. */
  isEligible: (at: number, note: number) => boolean
  /** The query's phrases are found in no note that may be shown, and were let go. */
  phraseMissed: boolean
}

/** Which notes may be answers: alive, allowed by the caller, and holding what was quoted. */
export function eligibleNotes(segments: readonly Segment[], query: Query, allowed: Int32Array | undefined): Eligible {
  const allowedIds = allowed === undefined ? undefined : markedIds(allowed)
  const isAllowed = (at: number, note: number) =>
    segments[at].dead[note] === 0 && (allowedIds === undefined || allowedIds[segments[at].arrays.noteIds[note]] === 1)
  if (query.phrases.length === 0) return { isEligible: isAllowed, phraseMissed: false }
  const withPhrases = segments.map((segment) => notesWithPhrases(segment, query.phrases))
  const holdsPhrases = (at: number, note: number) => withPhrases[at]?.[note] === 1 && isAllowed(at, note)
  const isFound = withPhrases.some((marks, at) => marks?.some((mark, note) => mark === 1 && isAllowed(at, note)))
  return { isEligible: isFound ? holdsPhrases : isAllowed, phraseMissed: !isFound }
}

function markedIds(ids: Int32Array): Uint8Array {
  const marks = new Uint8Array((ids.at(-1) ?? -1) + 1)
  for (const id of ids) marks[id] = 1
  return marks
}
