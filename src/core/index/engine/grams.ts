import type { DictionaryEntries } from './dictionary.js'
import { VarintWriter } from './segment-format.js'
import { isAddressWord, isUnspaced } from './words.js'

// `!` is used on bytes of one word, on characters and grams below their count, and on arrays with an entry for each
// gram or word (offsets one more).

/** The most grams a word can have. */
export const maxGrams = 72

/**
 * Character grams of a word, which it shares with words spelled like it: runs of four letters of `_word_` as 32-bit
 * hashes. Shorter words and pairs of unspaced scripts are one gram; single characters of those scripts have none.
 * Writes into `out` and returns the count; repeated grams are repeated.
 */
export function gramsOf(bytes: Uint8Array, from: number, to: number, out: Uint32Array): number {
  let count = 1
  for (let at = from; at < to; ) {
    const first = bytes[at]!
    if (first < 0x80) {
      points[count++] = first
      at += 1
    } else if (first < 0xe0) {
      points[count++] = ((first & 31) << 6) | (bytes[at + 1]! & 63)
      at += 2
    } else if (first < 0xf0) {
      points[count++] = ((first & 15) << 12) | ((bytes[at + 1]! & 63) << 6) | (bytes[at + 2]! & 63)
      at += 3
    } else {
      points[count++] =
        ((first & 7) << 18) | ((bytes[at + 1]! & 63) << 12) | ((bytes[at + 2]! & 63) << 6) | (bytes[at + 3]! & 63)
      at += 4
    }
  }
  if (isUnspaced(points[1]!)) {
    if (count === 2) return 0
    out[0] = hashPoints(1, count)
    return 1
  }
  points[count++] = 95
  if (count <= 4) {
    out[0] = hashPoints(0, count)
    return 1
  }
  for (let at = 0; at + 4 <= count; at++) out[at] = hashPoints(at, at + 4)
  return count - 3
}

const points = new Int32Array(maxGrams)
points[0] = 95

function hashPoints(from: number, to: number): number {
  let hash = 0x9747b28c
  for (let at = from; at < to; at++) {
    hash = Math.imul(hash ^ points[at]!, 0x5bd1e995)
    hash ^= hash >>> 13
  }
  return (Math.imul(hash, 0x85ebca6b) ^ (hash >>> 16)) >>> 0
}

interface GramIndex {
  gramKeys: Uint32Array
  /** Notes with a word that has the gram, counted once per such word. */
  gramNotes: Int32Array
  gramOffsets: Uint32Array
  gramWords: Uint8Array
}

/** The inverted index from grams to the words that have them. */
export function indexGrams(words: DictionaryEntries, wordNotes: Int32Array): GramIndex {
  const { gramKeys, wordGrams, wordStarts } = numberGrams(words)
  const gramNotes = new Int32Array(gramKeys.length)
  const starts = new Uint32Array(gramKeys.length + 1)
  for (const gram of wordGrams) starts[gram + 1]!++
  for (let gram = 0; gram < gramKeys.length; gram++) starts[gram + 1]! += starts[gram]!
  const lists = new Uint32Array(wordGrams.length)
  const places = starts.slice()
  for (let word = 0; word < words.count; word++) {
    for (let at = wordStarts[word]!; at < wordStarts[word + 1]!; at++) {
      const gram = wordGrams[at]!
      lists[places[gram]!++] = word
      gramNotes[gram]! += wordNotes[word]!
    }
  }
  const gramOffsets = new Uint32Array(gramKeys.length + 1)
  const writer = new VarintWriter(wordGrams.length * 2 + 16)
  for (let gram = 0; gram < gramKeys.length; gram++) {
    let last = 0
    for (let at = starts[gram]!; at < starts[gram + 1]!; at++) {
      writer.push(lists[at]! - last)
      last = lists[at]!
    }
    gramOffsets[gram + 1] = writer.length
  }
  return { gramKeys, gramNotes, gramOffsets, gramWords: writer.bytes.subarray(0, writer.length) }
}

/** Numbers the grams by their hash; word w has the grams `wordGrams[wordStarts[w] … wordStarts[w + 1]]`, each once. */
function numberGrams(words: DictionaryEntries): {
  gramKeys: Uint32Array
  wordGrams: Uint32Array
  wordStarts: Uint32Array
} {
  const pieces = new Uint32Array(maxGrams)
  const wordStarts = new Uint32Array(words.count + 1)
  let keys = new Uint32Array(words.count * 6 + maxGrams)
  let total = 0
  for (let word = 1; word < words.count; word++) {
    const start = words.offsets[word]!
    const count = isAddressWord(words.bytes, start) ? 0 : gramsOf(words.bytes, start, words.offsets[word + 1]!, pieces)
    if (total + count > keys.length) {
      const larger = new Uint32Array(keys.length * 2)
      larger.set(keys)
      keys = larger
    }
    for (let at = 0; at < count; at++) {
      if (pieces.indexOf(pieces[at]!) === at) keys[total++] = pieces[at]!
    }
    wordStarts[word + 1] = total
  }
  const sorted = keys.slice(0, total).sort()
  let distinct = 0
  for (let at = 0; at < total; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[distinct++] = sorted[at]!
  const gramKeys = sorted.slice(0, distinct)
  return { gramKeys, wordGrams: renumbered(keys.subarray(0, total), gramKeys), wordStarts }
}

function renumbered(keys: Uint32Array, gramKeys: Uint32Array): Uint32Array {
  let size = 16
  while (size < gramKeys.length * 2) size *= 2
  const table = new Int32Array(size)
  for (let gram = 0; gram < gramKeys.length; gram++) {
    let slot = gramKeys[gram]! & (size - 1)
    while (table[slot] !== 0) slot = (slot + 1) & (size - 1)
    table[slot] = gram + 1
  }
  const numbers = new Uint32Array(keys.length)
  for (let at = 0; at < keys.length; at++) {
    let slot = keys[at]! & (size - 1)
    while (gramKeys[table[slot]! - 1] !== keys[at]) slot = (slot + 1) & (size - 1)
    numbers[at] = table[slot]! - 1
  }
  return numbers
}
