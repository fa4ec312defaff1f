import { wordsOfAddress } from './addresses.js'
import { correctWords } from './correct.js'
import { dateRows } from './dates.js'
import { makeQuery, type Query } from './query.js'
import type { Recipe } from './recipe.js'
import type { Segment } from './segment.js'
import { otherSpellings } from './spellings.js'
import { stemOf } from './stem.js'
import { wordsOf } from './tokens.js'

/** A question longer than this is a document; its first words say enough. */
const mostWords = 1000
/** A longer run is no identifier. */
const mostInRow = 12

export interface Understood {
  query: Query
  /** Words the vault does not contain, with the nearest word searched instead. */
  corrected?: Record<string, string>
}

/** Reads a question against the words of the vault. */
export function understand(segments: readonly Segment[], text: string, recipe: Recipe): Understood {
  const words = askedWords(segments, text).slice(0, mostWords)
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
      rows: [...identifiers(text), ...dateRows(words)],
      others: others.map(({ row }) => row),
      path: pastedPath(text),
      stem,
    },
    recipe,
  )
  return corrections.size === 0 ? { query } : { query, corrected: Object.fromEntries(corrections) }
}

/** The quoted parts of a question as rows of words. */
function quotedPhrases(text: string): string[][] {
  const quoted = text.match(/"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」/g) ?? []
  return quoted.map((part) => wordsOf(part)).filter((words) => words.length > 0)
}

/** An address that the vault holds is asked for as a whole, another one by its words. */
function askedWords(segments: readonly Segment[], text: string): string[] {
  if (!text.includes('/')) return wordsOf(text)
  return text.split(/\s+/).flatMap((part) => {
    const address = /^(?:https?:\/\/|[\w-]+(?:\.[\w-]+)+\/)/i.test(part) ? wordsOfAddress(part) : []
    return address.length > 0 && segments.some((segment) => holdsAll(segment, address)) ? address : wordsOf(part)
  })
}

function holdsAll(segment: Segment, words: readonly string[]): boolean {
  return words.every((word) => segment.findWord(encoder.encode(word)) >= 0)
}

/** Words written as one, held together by signs: `community-css-themes.json`, `file.hasTag`, `2022-10-01`. */
function identifiers(text: string): string[][] {
  const joined = text.match(/[\p{L}\p{N}]+(?:[-_./:?=@#&\\+]+[\p{L}\p{N}]+)+/gu) ?? []
  return joined.map(wordsOf).filter((words) => words.length > 1 && words.length <= mostInRow)
}

/** The path or file name that was pasted, or that of a pasted link. */
function pastedPath(text: string): string | undefined {
  const link = /^!?\[\[([^\]|#]+)[^\]]*\]\]$/.exec(text.trim())?.[1]
  const path = (link ?? text).trim().replaceAll('\\', '/')
  const isPath = link !== undefined || /\.md$/i.test(path) || /^\S+\/\S+$|\/[^/]+\//.test(path)
  return isPath ? path.replace(/\.md$/i, '') : undefined
}

const encoder = new TextEncoder()
