import { isUnspaced } from './folding.js'
import { gramsOf, mostGrams } from './grams.js'
import { emptyName, hashName } from './names.js'
import { stemOf } from './stem.js'
import { hashBytes, wordsOf } from './tokens.js'

export interface QueryTerm {
  text: string
  bytes: Uint8Array
  /** How often the query says it. */
  count: number
}

export interface QueryStem extends QueryTerm {
  /** Two characters of an unspaced script: its stem, its one surface word and its one piece are all the same. */
  isPair: boolean
}

/** A question, cut up the way notes are. */
export interface Query {
  /** All words in order. */
  words: readonly string[]
  stems: readonly QueryStem[]
  /** Words as written, and their pieces; those of unspaced scripts are left to the stems. */
  surfaces: readonly QueryTerm[]
  grams: readonly { key: number; count: number }[]
  /** Quoted rows of words that must be found as they stand. */
  phrases: readonly (readonly Uint8Array[])[]
  /** Hash of the whole query as a name. */
  nameKey: number
}

export function makeQuery(
  words: readonly string[],
  phrases: readonly (readonly string[])[],
  stem: (word: string) => string = stemOf,
): Query {
  const spaced = words.filter((word) => !isOfUnspaced(word))
  return {
    words,
    stems: countTerms(words.map(stem)).map((term) => ({ ...term, isPair: isPair(term.text) })),
    surfaces: countTerms(spaced),
    grams: countGrams(spaced),
    phrases: phrases.map((phrase) => phrase.map((word) => encoder.encode(word))),
    nameKey: nameKeyOf(words),
  }
}

/** The quoted parts of a question as rows of words. */
export function quotedPhrases(text: string): string[][] {
  const quoted = text.match(/"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」/g) ?? []
  return quoted.map((part) => wordsOf(part)).filter((words) => words.length > 0)
}

const encoder = new TextEncoder()

function countTerms(words: readonly string[]): QueryTerm[] {
  const terms = new Map<string, QueryTerm>()
  for (const text of words) {
    const known = terms.get(text)
    if (known !== undefined) known.count++
    else terms.set(text, { text, bytes: encoder.encode(text), count: 1 })
  }
  return [...terms.values()]
}

function isOfUnspaced(word: string): boolean {
  return isUnspaced(word.codePointAt(0) as number)
}

function isPair(word: string): boolean {
  return isOfUnspaced(word) && word.length > ((word.codePointAt(0) as number) > 0xffff ? 2 : 1)
}

function countGrams(words: readonly string[]): { key: number; count: number }[] {
  const counts = new Map<number, number>()
  const pieces = new Uint32Array(mostGrams)
  for (const word of words) {
    const bytes = encoder.encode(word)
    const size = gramsOf(bytes, 0, bytes.length, pieces)
    for (let at = 0; at < size; at++) counts.set(pieces[at], (counts.get(pieces[at]) ?? 0) + 1)
  }
  return Array.from(counts, ([key, count]) => ({ key, count }))
}

function nameKeyOf(words: readonly string[]): number {
  let key = emptyName
  for (const word of words) {
    const bytes = encoder.encode(word)
    key = hashName(key, hashBytes(bytes, 0, bytes.length))
  }
  return key >>> 0
}
