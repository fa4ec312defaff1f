import { correctWords } from './correct.js'
import { makeQuery, type Query, quotedPhrases } from './query.js'
import type { Segment } from './segment.js'
import { stemOf } from './stem.js'
import { wordsOf } from './tokens.js'

/** A question longer than this is a document; its first words say enough. */
const mostWords = 1000

export interface Understood {
  query: Query
  /** Words the vault does not contain, with the nearest word searched instead. */
  corrected?: Record<string, string>
}

/** Reads a question against the words of the vault. */
export function understand(segments: readonly Segment[], text: string): Understood {
  const words = wordsOf(text).slice(0, mostWords)
  const stems = new Map<string, string>()
  const stem = (word: string) => {
    const known = stems.get(word) ?? stemOf(word)
    stems.set(word, known)
    return known
  }
  const corrections = correctWords(segments, words, stem)
  const query = makeQuery(
    words.map((word) => corrections.get(word) ?? word),
    quotedPhrases(text),
    stem,
  )
  return corrections.size === 0 ? { query } : { query, corrected: Object.fromEntries(corrections) }
}
