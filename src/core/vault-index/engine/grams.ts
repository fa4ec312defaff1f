import { isUnspaced } from './folding.js'

/** The most pieces a word can have. */
export const mostGrams = 72

/**
 * The pieces a word shares with words spelled like it: runs of four letters of `_word_`, as 32-bit hashes. Shorter
 * words are one piece, pairs of unspaced scripts are one piece, single characters of those scripts have none.
 * Writes into `out` and answers how many; a piece that a word has twice is there twice.
 */
export function gramsOf(bytes: Uint8Array, from: number, to: number, out: Uint32Array): number {
  let count = 1
  for (let at = from; at < to; ) {
    const first = bytes[at]
    if (first < 0x80) {
      points[count++] = first
      at += 1
    } else if (first < 0xe0) {
      points[count++] = ((first & 31) << 6) | (bytes[at + 1] & 63)
      at += 2
    } else if (first < 0xf0) {
      points[count++] = ((first & 15) << 12) | ((bytes[at + 1] & 63) << 6) | (bytes[at + 2] & 63)
      at += 3
    } else {
      points[count++] =
        ((first & 7) << 18) | ((bytes[at + 1] & 63) << 12) | ((bytes[at + 2] & 63) << 6) | (bytes[at + 3] & 63)
      at += 4
    }
  }
  if (isUnspaced(points[1])) {
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

const points = new Int32Array(mostGrams)
points[0] = 95

function hashPoints(from: number, to: number): number {
  let hash = 0x9747b28c
  for (let at = from; at < to; at++) {
    hash = Math.imul(hash ^ points[at], 0x5bd1e995)
    hash ^= hash >>> 13
  }
  return (Math.imul(hash, 0x85ebca6b) ^ (hash >>> 16)) >>> 0
}
