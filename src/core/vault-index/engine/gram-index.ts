import { isAddressWord } from './addresses.js'
import { gramsOf, mostGrams } from './grams.js'
import type { Entries } from './invert.js'
import { VarintWriter } from './varint.js'

export interface GramIndex {
  gramKeys: Uint32Array
  /** Notes that hold a word with the piece, once for each such word. */
  gramNotes: Int32Array
  gramOffsets: Uint32Array
  gramWords: Uint8Array
}

/** Which words hold each piece of a word. */
export function indexGrams(words: Entries, wordNotes: Int32Array): GramIndex {
  const { gramKeys, wordGrams, wordStarts } = numberGrams(words)
  const gramNotes = new Int32Array(gramKeys.length)
  const starts = new Uint32Array(gramKeys.length + 1)
  for (const gram of wordGrams) starts[gram + 1]++
  for (let gram = 0; gram < gramKeys.length; gram++) starts[gram + 1] += starts[gram]
  const lists = new Uint32Array(wordGrams.length)
  const places = starts.slice()
  for (let word = 0; word < words.count; word++) {
    for (let at = wordStarts[word]; at < wordStarts[word + 1]; at++) {
      const gram = wordGrams[at]
      lists[places[gram]++] = word
      gramNotes[gram] += wordNotes[word]
    }
  }
  const gramOffsets = new Uint32Array(gramKeys.length + 1)
  const writer = new VarintWriter(wordGrams.length * 2 + 16)
  for (let gram = 0; gram < gramKeys.length; gram++) {
    let last = 0
    for (let at = starts[gram]; at < starts[gram + 1]; at++) {
      writer.push(lists[at] - last)
      last = lists[at]
    }
    gramOffsets[gram + 1] = writer.length
  }
  return { gramKeys, gramNotes, gramOffsets, gramWords: writer.bytes.subarray(0, writer.length) }
}

/** Numbers the pieces by their hash; word w has the pieces `wordGrams[wordStarts[w] … wordStarts[w + 1]]`, each once. */
function numberGrams(words: Entries): { gramKeys: Uint32Array; wordGrams: Uint32Array; wordStarts: Uint32Array } {
  const pieces = new Uint32Array(mostGrams)
  const wordStarts = new Uint32Array(words.count + 1)
  let keys = new Uint32Array(words.count * 6 + mostGrams)
  let total = 0
  for (let word = 1; word < words.count; word++) {
    const start = words.offsets[word]
    const count = isAddressWord(words.bytes, start) ? 0 : gramsOf(words.bytes, start, words.offsets[word + 1], pieces)
    if (total + count > keys.length) {
      const larger = new Uint32Array(keys.length * 2)
      larger.set(keys)
      keys = larger
    }
    for (let at = 0; at < count; at++) {
      if (pieces.indexOf(pieces[at]) === at) keys[total++] = pieces[at]
    }
    wordStarts[word + 1] = total
  }
  const sorted = keys.slice(0, total).sort()
  let distinct = 0
  for (let at = 0; at < total; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[distinct++] = sorted[at]
  const gramKeys = sorted.slice(0, distinct)
  return { gramKeys, wordGrams: renumbered(keys.subarray(0, total), gramKeys), wordStarts }
}

function renumbered(keys: Uint32Array, gramKeys: Uint32Array): Uint32Array {
  let size = 16
  while (size < gramKeys.length * 2) size *= 2
  const table = new Int32Array(size)
  for (let gram = 0; gram < gramKeys.length; gram++) {
    let slot = gramKeys[gram] & (size - 1)
    while (table[slot] !== 0) slot = (slot + 1) & (size - 1)
    table[slot] = gram + 1
  }
  const numbers = new Uint32Array(keys.length)
  for (let at = 0; at < keys.length; at++) {
    let slot = keys[at] & (size - 1)
    while (gramKeys[table[slot] - 1] !== keys[at]) slot = (slot + 1) & (size - 1)
    numbers[at] = table[slot] - 1
  }
  return numbers
}
