import { gramsOf, maxGrams } from './grams.js'
import type { Segment } from './segment.js'
import { VarintReader } from './segment-format.js'
import { stemOf } from './stem.js'
import { isUnspaced, wordsOf } from './words.js'

// `!` is used on words and grams of a segment (offsets have one entry more), and on rows of a table that are one longer
// than the word.

/** An alternative spelling of words of a query. */
interface Spelling {
  /** The word it replaces; undefined if it replaces several. */
  of?: string
  /** Several words must occur side by side. */
  words: string[]
}

/** Alternative spellings of a query's words, restricted to words of the vault. */
export function otherSpellings(segments: readonly Segment[], text: string, words: readonly string[]): Spelling[] {
  const all = [
    ...joinedNeighbours(words),
    ...camelCaseParts(text),
    ...splitCompounds(segments, words),
    ...britishAndAmerican(words),
  ]
  // The same spelling may be found twice (camel case and known parts of `SQLiteException`): it counts once.
  const distinct = new Map(all.map((spelling) => [spelling.words.join(' '), spelling]))
  return [...distinct.values()].filter((spelling) => spelling.words.every((word) => isKnownWord(segments, word)))
}

/** `work spaces` is `workspaces`. */
function joinedNeighbours(words: readonly string[]): Spelling[] {
  const found: Spelling[] = []
  for (let at = 1; at < words.length; at++) {
    if (isUnspacedWord(words[at - 1]!) || isUnspacedWord(words[at]!)) continue
    const whole = words[at - 1]! + words[at]!
    if (whole.length >= shortestJoined) found.push({ words: [whole] })
  }
  return found
}

/** `cachedRead` is `cached read` too. */
function camelCaseParts(text: string): Spelling[] {
  if (!/\p{Ll}\p{Lu}/u.test(text)) return []
  const written = text.match(/\p{L}[\p{L}\p{N}]*\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu) ?? []
  return written.map((word) => ({ words: wordsOf(word.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')) }))
}

/** `onenote` is `one note` where the vault does not have the whole. */
function splitCompounds(segments: readonly Segment[], words: readonly string[]): Spelling[] {
  const found: Spelling[] = []
  for (const word of new Set(words)) {
    if (word.length < shortestJoined || isUnspacedWord(word) || isKnownWord(segments, word)) continue
    for (let at = shortestPart; at <= word.length - shortestPart; at++) {
      found.push({ of: word, words: [word.slice(0, at), word.slice(at)] })
    }
  }
  return found
}

/** `organise` is `organize`, `colour` is `color`, and the other way round. */
function britishAndAmerican(words: readonly string[]): Spelling[] {
  return words.flatMap((word) =>
    endings
      .filter(([ending]) => ending.test(word))
      .map(([ending, other]) => ({ of: word, words: [word.replace(ending, other)] })),
  )
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/^(\w{3,})is(e[ds]?|ers?|ing|ations?)$/, '$1iz$2'],
  [/^(\w{3,})iz(e[ds]?|ers?|ing|ations?)$/, '$1is$2'],
  [/^(\w{3,})ys(e[ds]?|er|ing)$/, '$1yz$2'],
  [/^(\w{3,})yz(e[ds]?|er|ing)$/, '$1ys$2'],
  [/^(\w{2,})our(s|ed|ing|ites?|ful|)$/, '$1or$2'],
  [/^(\w{2,}[lbvin])or(s|ed|ing|ites?|ful|)$/, '$1our$2'],
]

const shortestJoined = 6
const shortestPart = 3
const encoder = new TextEncoder()

const isUnspacedWord = (word: string): boolean => isUnspaced(word.codePointAt(0) as number)

function isKnownWord(segments: readonly Segment[], word: string): boolean {
  const bytes = encoder.encode(word)
  return segments.some((segment) => {
    const number = segment.findWord(bytes)
    return number >= 0 && segment.notesWithWord(number) > 0
  })
}

/** Shorter words resemble too many others. */
const shortestCorrected = 5
/** In shorter words a changed or extra letter is usually another word (money, Monet; plant, plan), not a mistake. */
const shortestWithChange = 8
/** Longer words may have two mistakes. */
const longestWithOneEdit = 9

/**
 * For each word whose stem the vault lacks (misspelled, or not typed to its end), the nearest word of the vault. Words
 * too short to guess, numbers, and unspaced scripts are left alone.
 */
export function correctWords(
  segments: readonly Segment[],
  words: readonly string[],
  stem: (word: string) => string = stemOf,
): Map<string, string> {
  const corrected = new Map<string, string>()
  for (const [at, word] of words.entries()) {
    if (
      corrected.has(word) ||
      word.length < shortestCorrected ||
      /\d/.test(word) ||
      isUnspaced(word.codePointAt(0) as number)
    )
      continue
    if (isKnownStem(segments, stem(word))) continue
    const nearest = nearestWord(segments, word, at === words.length - 1)
    if (nearest !== undefined) corrected.set(word, nearest)
  }
  return corrected
}

function isKnownStem(segments: readonly Segment[], stem: string): boolean {
  const bytes = encoder.encode(stem)
  return segments.some((segment) => {
    const number = segment.findStem(bytes)
    return number >= 0 && segment.notesWithStem(number) > 0
  })
}

/** Fewest edits first, then the most frequent word. The last word of a query may be a prefix. */
function nearestWord(segments: readonly Segment[], word: string, isLast: boolean): string | undefined {
  const mostEdits = word.length <= longestWithOneEdit ? 1 : 2
  const changing = word.length < shortestWithChange ? 2 : 1
  const bytes = encoder.encode(word)
  const pieces = new Uint32Array(maxGrams)
  const count = gramsOf(bytes, 0, bytes.length, pieces)
  const notes = new Map<string, number>()
  for (const segment of segments) {
    for (const candidate of wordsWithGrams(segment, pieces.subarray(0, count), bytes.length, isLast)) {
      const text = segment.wordText(candidate)
      notes.set(text, (notes.get(text) ?? 0) + segment.notesWithWord(candidate))
    }
  }
  let best: { text: string; edits: number; notes: number } | undefined
  for (const [text, holders] of notes) {
    if (holders === 0) continue
    if (text[0] !== word[0]) continue
    const edits = isLast && text.startsWith(word) ? 0 : editDistance(word, text, mostEdits, changing)
    if (edits > mostEdits) continue
    const isBetter =
      best === undefined ||
      edits < best.edits ||
      (edits === best.edits && (holders > best.notes || (holders === best.notes && text < best.text)))
    if (isBetter) best = { text, edits, notes: holders }
  }
  return best?.text
}

function wordsWithGrams(segment: Segment, grams: Uint32Array, size: number, isLast: boolean): Set<number> {
  const { gramOffsets, gramWords, wordOffsets } = segment.arrays
  const found = new Set<number>()
  for (const key of grams) {
    const gram = segment.findGram(key)
    if (gram < 0) continue
    const reader = new VarintReader(gramWords, gramOffsets[gram]!)
    let word = 0
    while (reader.at < gramOffsets[gram + 1]!) {
      word += reader.next()
      const difference = wordOffsets[word + 1]! - wordOffsets[word]! - size
      if (difference >= -4 && (difference <= 4 || isLast)) found.add(word)
    }
  }
  return found
}

/**
 * Edit distance with missing, extra, changed and swapped letters; every distance above `most` is `most + 1`.
 * `changing` is the cost of a changed or extra letter, unless it is typed twice.
 */
export function editDistance(typed: string, word: string, most: number, changing = 1): number {
  if (Math.abs(typed.length - word.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: word.length + 1 }, (_, at) => at)
  for (let i = 1; i <= typed.length; i++) {
    const letter = typed.charCodeAt(i - 1)
    const isTwice = letter === typed.charCodeAt(i) || letter === typed.charCodeAt(i - 2)
    const tooMany = isTwice ? 1 : changing
    const row = [last[0]! + tooMany]
    let least = row[0]!
    for (let j = 1; j <= word.length; j++) {
      const isSame = letter === word.charCodeAt(j - 1)
      let edits = Math.min(last[j]! + tooMany, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : changing))
      if (i > 1 && j > 1 && letter === word.charCodeAt(j - 2) && typed.charCodeAt(i - 2) === word.charCodeAt(j - 1)) {
        edits = Math.min(edits, before[j - 2]! + 1)
      }
      row.push(edits)
      if (edits < least) least = edits
    }
    if (least > most) return most + 1
    before = last
    last = row
  }
  return last[word.length]!
}
