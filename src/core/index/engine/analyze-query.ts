import { functionWordsOf } from './function-words.js'
import { gramsOf, maxGrams } from './grams.js'
import type { RankingWeights } from './ranking-weights.js'
import type { Segment } from './segment.js'
import { correctWords, otherSpellings } from './spellings.js'
import { stemOf } from './stem.js'
import { emptyName, hashName, hashWord, isUnspaced, noteBaseName, wordsOf, wordsOfAddress } from './words.js'

/** Longer queries are cut: the first words of a pasted document are enough. */
const mostWords = 1000
/** Longer runs of joined words are not treated as identifiers. */
const longestIdentifier = 12

interface QueryAnalysis {
  query: Query
  /** Words the vault does not contain, with the nearest word searched instead. */
  corrected?: Record<string, string>
}

/** Turns the text of a query into terms, corrected and respelled by the words the vault has. */
export function analyzeQuery(segments: readonly Segment[], text: string, ranking: RankingWeights): QueryAnalysis {
  const words = queryWords(segments, text).slice(0, mostWords)
  const stems = new Map<string, string>()
  const stem = (word: string) => {
    const known = stems.get(word) ?? stemOf(word)
    stems.set(word, known)
    return known
  }
  const others = otherSpellings(segments, text, words)
  const respelt = new Set(others.map(({ of }) => of))
  const corrections = correctWords(
    segments,
    words.filter((word) => !respelt.has(word)),
    stem,
  )
  const query = makeQuery(
    {
      words: words.map((word) => corrections.get(word) ?? word),
      phrases: quotedPhrases(text),
      sequences: [...identifiers(text), ...dateSequences(words)],
      others: others.map((spelling) => spelling.words),
      path: pastedPath(text),
      stem,
    },
    ranking,
  )
  return corrections.size === 0 ? { query } : { query, corrected: Object.fromEntries(corrections) }
}

/** The quoted parts of the query, each as a list of words. */
function quotedPhrases(text: string): string[][] {
  const quoted = text.match(/"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」/g) ?? []
  return quoted.map((part) => wordsOf(part)).filter((words) => words.length > 0)
}

/** A web address that the vault contains is searched as a whole; any other one by its words. */
function queryWords(segments: readonly Segment[], text: string): string[] {
  if (!text.includes('/')) return wordsOf(text)
  return text.split(/\s+/).flatMap((part) => {
    const address = /^(?:https?:\/\/|[\w-]+(?:\.[\w-]+)+\/)/i.test(part) ? wordsOfAddress(part) : []
    return address.length > 0 && segments.some((segment) => hasAllWords(segment, address)) ? address : wordsOf(part)
  })
}

function hasAllWords(segment: Segment, words: readonly string[]): boolean {
  return words.every((word) => segment.findWord(encoder.encode(word)) >= 0)
}

/** Words joined by punctuation: `community-css-themes.json`, `file.hasTag`, `2022-10-01`. */
function identifiers(text: string): string[][] {
  const joined = text.match(/[\p{L}\p{N}]+(?:[-_./:?=@#&\\+]+[\p{L}\p{N}]+)+/gu) ?? []
  return joined.map(wordsOf).filter((words) => words.length > 1 && words.length <= longestIdentifier)
}

/** The pasted path or file name, or the target of a pasted link. */
function pastedPath(text: string): string | undefined {
  const link = /^!?\[\[([^\]|#]+)[^\]]*\]\]$/.exec(text.trim())?.[1]
  const path = (link ?? text).trim().replaceAll('\\', '/')
  const isPath = link !== undefined || /\.md$/i.test(path) || /^\S+\/\S+$|\/[^/]+\//.test(path)
  return isPath ? path.replace(/\.md$/i, '') : undefined
}

const encoder = new TextEncoder()

interface QueryTerm {
  text: string
  bytes: Uint8Array
  /** Occurrences in the query. */
  count: number
  /** Weight factor: less than 1 for function words and for alternative spellings. */
  share: number
  /** True for a function word (article, pronoun, question word). */
  isFunction: boolean
}

export interface QueryStem extends QueryTerm {
  /** A pair of characters of an unspaced script: its stem, surface word and gram are identical. */
  isPair: boolean
  /** Number of words the stem represents: an unspaced word is several overlapping stems. */
  words: number
}

/** A query, tokenized the way notes are. */
export interface Query {
  /** All words in order. */
  words: readonly string[]
  stems: readonly QueryStem[]
  /** Words as written, and their character grams; unspaced scripts use stems alone. */
  surfaces: readonly QueryTerm[]
  grams: readonly { key: number; count: number; share: number }[]
  /** Sequences of words that count as one term when adjacent. */
  sequences: readonly { words: readonly Uint8Array[]; share: number }[]
  /** Quoted sequences of words that a hit must contain. */
  phrases: readonly (readonly Uint8Array[])[]
  /** Note names the query may refer to: the query itself, and the file name of a pasted path or link. */
  names: readonly QueryName[]
  /** The pasted path without `.md`; '' when none was pasted. */
  path: string
}

export interface QueryName {
  key: number
  words: readonly string[]
}

/** The words of a query before weighting, folded. */
interface QueryWords {
  words: readonly string[]
  phrases?: readonly (readonly string[])[]
  sequences?: readonly (readonly string[])[]
  /** Alternative spellings; a sequence of one is a word. */
  others?: readonly (readonly string[])[]
  /** The path of a note, or the end of one. */
  path?: string | undefined
  stem?: (word: string) => string
}

function makeQuery(read: QueryWords, { functionShare, otherShare }: RankingWeights): Query {
  const { words, phrases = [], sequences = [], others = [], path = '', stem = stemOf } = read
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
    sequences: [...sequences, ...others.filter((other) => other.length > 1)].map((sequence) => ({
      words: encoded(sequence),
      share: Math.max(...sequence.map(shareOf)),
    })),
    phrases: phrases.map(encoded),
    names: [words, wordsOf(noteBaseName(path))]
      .filter((name) => name.length > 0)
      .map((name) => ({ key: nameKeyOf(name), words: name })),
    path,
  }
}

const encoded = (words: readonly string[]): Uint8Array[] => words.map((word) => encoder.encode(word))

/** The words that a query is about, each once: without function words, unless it has no others. */
export function contentWords({ words }: Query): string[] {
  const plain = plainWords(words)
  return [...new Set(words)].filter((word) => !plain.has(word))
}

/** True for a word that no note contains in any form. Scripts without spaces are looked up by pairs of characters. */
export function isMissing(segments: readonly Segment[], word: string): boolean {
  if (isOfUnspaced(word)) return false
  const bytes = encoder.encode(stemOf(word))
  return segments.every((segment) => segment.findStem(bytes) < 0)
}

/** In a query of function words alone, no word counts as one. */
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
  const pieces = new Uint32Array(maxGrams)
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
    key = hashName(key, hashWord(bytes, 0, bytes.length))
  }
  return key >>> 0
}

/** Names and abbreviations of the months, folded, for languages with spaces. */
const months: readonly string[] = [
  'jan january januar janvier enero gennaio janeiro januari stycznia styczen января январь ocak',
  'feb february februar fevrier febrero febbraio fevereiro februari lutego luty февраля февраль subat',
  'mar march marz mars marzo marco maart marca marzec марта март mart',
  'apr april avril abril aprile kwietnia kwiecien апреля апрель nisan',
  'may mai mayo maggio maio mei maja maj мая май mayis',
  'jun june juni juin junio giugno junho czerwca czerwiec июня июнь haziran',
  'jul july juli juillet julio luglio julho lipca lipiec июля июль temmuz',
  'aug august aout agosto augustus sierpnia sierpien augusti августа август agustos',
  'sep sept september septembre septiembre settembre setembro wrzesnia wrzesien сентября сентябрь eylul',
  'oct okt october oktober octobre octubre ottobre outubro pazdziernika pazdziernik октября октябрь ekim',
  'nov november novembre noviembre novembro listopada listopad ноября ноябрь kasim',
  'dec dez december dezember decembre diciembre dicembre dezembro grudnia grudzien декабря декабрь aralik',
]

const monthOf = new Map(months.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)))
const weekNames = new Set([
  'week',
  'woche',
  'semaine',
  'semana',
  'settimana',
  'vecka',
  'uge',
  'uke',
  'tydzien',
  'неделя',
  'hafta',
])

/**
 * A date written in words, as the word sequence that daily notes have in their names: `2026 01 09` for a day, `2026
 * 01` for a month, `w52` for a week. Empty unless the query contains a year.
 */
export function dateSequences(words: readonly string[]): string[][] {
  const year = words.find((word) => /^(?:19|20)\d\d$/.test(word))
  if (year === undefined) return []
  const at = words.findIndex((word) => monthOf.has(word))
  if (at >= 0) {
    // `!`: `findIndex` found it.
    const month = twoDigits(monthOf.get(words[at]!) as number)
    const day = [words[at - 1], words[at + 1]].map(dayOf).find((found) => found !== undefined)
    return [[year, month, ...(day === undefined ? [] : [twoDigits(day)])]]
  }
  const week = words.findIndex((word) => weekNames.has(word))
  const number = week < 0 ? Number.NaN : Number(words[week + 1])
  return number >= 1 && number <= 53 ? [[year, `w${twoDigits(number)}`]] : []
}

function dayOf(word: string | undefined): number | undefined {
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? '')?.[1]
  return day !== undefined && Number(day) >= 1 && Number(day) <= 31 ? Number(day) : undefined
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')
