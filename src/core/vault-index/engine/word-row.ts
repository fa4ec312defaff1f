import type { Segment } from './segment.js'

/** Words that are looked for as they stand, one beside the other. */
export interface WordRow {
  /** Their numbers in a segment. */
  words: Int32Array
  /** How much of the row is still matched when the next word does not fit (Knuth–Morris–Pratt). */
  fallbacks: Int32Array
}

/** The row as a segment knows it; undefined when it does not have all its words. */
export function wordRow(segment: Segment, row: readonly Uint8Array[]): WordRow | undefined {
  const words = Int32Array.from(row, (bytes) => segment.findWord(bytes))
  if (words.includes(-1)) return undefined
  const fallbacks = new Int32Array(words.length)
  let matched = 0
  for (let at = 1; at < words.length; at++) {
    while (matched > 0 && words[at] !== words[matched]) matched = fallbacks[matched - 1]
    if (words[at] === words[matched]) matched++
    fallbacks[at] = matched
  }
  return { words, fallbacks }
}

/** How often a unit holds the row, up to `most`; each of its words is read once. */
export function countRow(segment: Segment, unit: number, { words, fallbacks }: WordRow, most: number): number {
  const { unitStreams } = segment.arrays
  const stream = segment.streamOf(unit, unit + 1)
  const end = unitStreams[unit + 1]
  let at = unitStreams[unit]
  let count = 0
  let matched = 0
  while (at < end) {
    let byte = stream[at++]
    let word = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = stream[at++]
      word |= (byte & 127) << shift
    }
    while (matched > 0 && word !== words[matched]) matched = fallbacks[matched - 1]
    if (word !== words[matched]) continue
    if (++matched < words.length) continue
    if (++count === most) return count
    matched = fallbacks[matched - 1]
  }
  return count
}

/** Units that hold the stems of all the words of a row, ascending. Names are units too. */
export function unitsWithStemsOf(segment: Segment, { words }: WordRow): Int32Array {
  const { wordStems, postingOffsets } = segment.arrays
  const size = (stem: number) => postingOffsets[stem + 1] - postingOffsets[stem]
  const stems = [...new Set(Array.from(words, (word) => wordStems[word]))].sort((a, b) => size(a) - size(b))
  let units: Int32Array | undefined
  for (const stem of stems) units = unitsWithStem(segment, stem, units)
  return units ?? new Int32Array(0)
}

/** Units that hold the stem, among `within`; ascending, as these are. */
export function unitsWithStem(segment: Segment, stem: number, within?: Int32Array): Int32Array {
  const { postingOffsets } = segment.arrays
  const postings = segment.postingsOf(stem)
  const end = postingOffsets[stem + 1]
  let at = postingOffsets[stem]
  // A posting has a byte at least.
  const found = new Int32Array(within?.length ?? end - at)
  let size = 0
  let unit = 0
  let next = 0
  while (at < end && next < (within?.length ?? Number.POSITIVE_INFINITY)) {
    let byte = postings[at++]
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = postings[at++]
      value |= (byte & 127) << shift
    }
    unit += value >>> 1
    // An even value is followed by a count.
    if ((value & 1) === 0) while (postings[at++] > 127);
    if (within === undefined) {
      found[size++] = unit
      continue
    }
    while (next < within.length && within[next] < unit) next++
    if (within[next] === unit) found[size++] = unit
  }
  return found.subarray(0, size)
}
