import { isUnspaced } from './folding.js'
import { functionWordsOf } from './function-words.js'
import { gramsOf, mostGrams } from './grams.js'
import { baseName, emptyName, hashName } from './names.js'
import type { Recipe } from './recipe.js'
import { stemOf } from './stem.js'
import { hashBytes, wordsOf } from './tokens.js'

export interface QueryTerm {
  text: string
  bytes: Uint8Array
  /** How often the query says it. */
  count: number
  /** Less than 1 where it belongs to how the question is put, or is another spelling of what was said. */
  share: number
  /** Whether it only joins, points or asks. */
  isFunction: boolean
}

export interface QueryStem extends QueryTerm {
  /** Two characters of an unspaced script: its stem, its one surface word and its one piece are all the same. */
  isPair: boolean
  /** How many words it stands for: an unspaced word of two characters or more is several overlapping stems. */
  words: number
}

/** A question, cut up the way notes are. */
export interface Query {
  /** All words in order. */
  words: readonly string[]
  stems: readonly QueryStem[]
  /** Words as written, and their pieces; those of unspaced scripts are left to the stems. */
  surfaces: readonly QueryTerm[]
  grams: readonly { key: number; count: number; share: number }[]
  /** Rows of words that are one thing where they stand together. */
  rows: readonly { words: readonly Uint8Array[]; share: number }[]
  /** Quoted rows of words that must be found as they stand. */
  phrases: readonly (readonly Uint8Array[])[]
  /** Names the query may be: as it stands, and as the file or the link it was pasted from. */
  names: readonly QueryName[]
  /** The path that was pasted, without its ending; '' when none was. */
  path: string
}

export interface QueryName {
  key: number
  words: readonly string[]
}

/** What a question was read as; rows are rows of folded words. */
export interface QueryWords {
  words: readonly string[]
  phrases?: readonly (readonly string[])[]
  rows?: readonly (readonly string[])[]
  /** Other spellings; a row of one is a word. */
  others?: readonly (readonly string[])[]
  /** The path of a note, or the end of one. */
  path?: string
  stem?: (word: string) => string
}

export function makeQuery(read: QueryWords, { functionShare, otherShare }: Recipe): Query {
  const { words, phrases = [], rows = [], others = [], path = '', stem = stemOf } = read
  const asked = new Set(words)
  const plain = plainWords(words)
  const all = [...words, ...others.flat().filter((word) => !asked.has(word))]
  const shareOf = (word: string) => (plain.has(word) ? functionShare : asked.has(word) ? 1 : otherShare)
  const spaced = all.filter((word) => !isOfUnspaced(word))
  return {
    words,
    stems: countTerms(all, stem, shareOf, plain).map(queryStem),
    surfaces: countTerms(spaced, (word) => word, shareOf, plain),
    grams: countGrams(spaced, shareOf),
    rows: [...rows, ...others.filter((row) => row.length > 1)].map((row) => ({
      words: encoded(row),
      share: Math.max(...row.map(shareOf)),
    })),
    phrases: phrases.map(encoded),
    names: [words, wordsOf(baseName(path))]
      .filter((name) => name.length > 0)
      .map((name) => ({ key: nameKeyOf(name), words: name })),
    path,
  }
}

const encoder = new TextEncoder()
const encoded = (words: readonly string[]): Uint8Array[] => words.map((word) => encoder.encode(word))

/** A question of nothing but function words is about them. */
function plainWords(words: readonly string[]): ReadonlySet<string> {
  const plain = functionWordsOf(words)
  return words.every((word) => plain.has(word)) ? new Set() : plain
}

function countTerms(
  words: readonly string[],
  toText: (word: string) => string,
  shareOf: (word: string) => number,
  plain: ReadonlySet<string>,
): QueryTerm[] {
  const terms = new Map<string, QueryTerm>()
  for (const word of words) {
    const text = toText(word)
    const known = terms.get(text)
    const share = Math.max(known?.share ?? 0, shareOf(word))
    const bytes = known?.bytes ?? encoder.encode(text)
    const isFunction = plain.has(word) && (known?.isFunction ?? true)
    terms.set(text, { text, bytes, count: (known?.count ?? 0) + 1, share, isFunction })
  }
  return [...terms.values()]
}

export function queryStem(term: QueryTerm): QueryStem {
  const { text } = term
  const first = text.codePointAt(0) as number
  const isPair = isUnspaced(first) && text.length > (first > 0xffff ? 2 : 1)
  const words = isUnspaced(first) ? (isPair ? 0.5 : 0) : 1
  return { ...term, isPair, words }
}

function isOfUnspaced(word: string): boolean {
  return isUnspaced(word.codePointAt(0) as number)
}

function countGrams(words: readonly string[], shareOf: (word: string) => number): Query['grams'] {
  const grams = new Map<number, Query['grams'][number]>()
  const pieces = new Uint32Array(mostGrams)
  for (const word of words) {
    const bytes = encoder.encode(word)
    const size = gramsOf(bytes, 0, bytes.length, pieces)
    for (const key of pieces.subarray(0, size)) {
      const { count = 0, share = 0 } = grams.get(key) ?? {}
      grams.set(key, { key, count: count + 1, share: Math.max(share, shareOf(word)) })
    }
  }
  return [...grams.values()]
}

function nameKeyOf(words: readonly string[]): number {
  let key = emptyName
  for (const word of words) {
    const bytes = encoder.encode(word)
    key = hashName(key, hashBytes(bytes, 0, bytes.length))
  }
  return key >>> 0
}
