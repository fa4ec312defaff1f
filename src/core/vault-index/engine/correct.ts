import { isUnspaced } from './folding.js'
import { gramsOf, mostGrams } from './grams.js'
import type { Segment } from './segment.js'
import { stemOf } from './stem.js'
import { VarintReader } from './varint.js'

/** A shorter word is near to many. */
const shortest = 5
/** In a shorter word, another letter or one too many makes another word (money, Monet; plant, plan) more often than a mistake. */
const shortestChanged = 8
/** A longer word may have two mistakes. */
const longestOfOne = 9

/**
 * The nearest word of the vault for each word it does not contain: an inflection of nothing here, so likely misspelt
 * or not yet typed to its end. Words too short to guess, numbers, and unspaced scripts are left as they are.
 */
export function correctWords(
  segments: readonly Segment[],
  words: readonly string[],
  stem: (word: string) => string = stemOf,
): Map<string, string> {
  const corrected = new Map<string, string>()
  for (const [at, word] of words.entries()) {
    if (corrected.has(word) || word.length < shortest || /\d/.test(word) || isUnspaced(word.codePointAt(0) as number))
      continue
    if (isKnown(segments, stem(word))) continue
    const nearest = nearestWord(segments, word, at === words.length - 1)
    if (nearest !== undefined) corrected.set(word, nearest)
  }
  return corrected
}

function isKnown(segments: readonly Segment[], stem: string): boolean {
  const bytes = encoder.encode(stem)
  return segments.some((segment) => {
    const number = segment.findStem(bytes)
    return number >= 0 && segment.notesWithStem(number) > 0
  })
}

/** Fewest edits first, then the word most notes hold. The last word may be the beginning of a longer one. */
function nearestWord(segments: readonly Segment[], word: string, isLast: boolean): string | undefined {
  const mostEdits = word.length <= longestOfOne ? 1 : 2
  const changing = word.length < shortestChanged ? 2 : 1
  const bytes = encoder.encode(word)
  const pieces = new Uint32Array(mostGrams)
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
    const reader = new VarintReader(gramWords, gramOffsets[gram])
    let word = 0
    while (reader.at < gramOffsets[gram + 1]) {
      word += reader.next()
      const difference = wordOffsets[word + 1] - wordOffsets[word] - size
      if (difference >= -4 && (difference <= 4 || isLast)) found.add(word)
    }
  }
  return found
}

/**
 * Missing letters, letters too many, others in their place, and swaps of neighbours; more than `most` is not told apart.
 * `changing` is the cost of another letter and of one too many, unless that is typed twice.
 */
export function editDistance(typed: string, word: string, most: number, changing = 1): number {
  if (Math.abs(typed.length - word.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: word.length + 1 }, (_, at) => at)
  for (let i = 1; i <= typed.length; i++) {
    const letter = typed.charCodeAt(i - 1)
    const isTwice = letter === typed.charCodeAt(i) || letter === typed.charCodeAt(i - 2)
    const tooMany = isTwice ? 1 : changing
    const row = [last[0] + tooMany]
    let least = row[0]
    for (let j = 1; j <= word.length; j++) {
      const isSame = letter === word.charCodeAt(j - 1)
      let edits = Math.min(last[j] + tooMany, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : changing))
      if (i > 1 && j > 1 && letter === word.charCodeAt(j - 2) && typed.charCodeAt(i - 2) === word.charCodeAt(j - 1)) {
        edits = Math.min(edits, before[j - 2] + 1)
      }
      row.push(edits)
      if (edits < least) least = edits
    }
    if (least > most) return most + 1
    before = last
    last = row
  }
  return last[word.length]
}

const encoder = new TextEncoder()
