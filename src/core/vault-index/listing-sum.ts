import type { FileStamp } from '../vault/index.js'

/**
 * A fingerprint of a set of stamps that does not depend on their order and can be kept up to date one file at a time:
 * the sum of two hashes of each. Equal sums mean that nothing has changed, without reading what the index knows.
 */
export type ListingSum = readonly [number, number]

type Stamp = Pick<FileStamp, 'path' | 'size' | 'mtimeMs' | 'ctimeMs'>

export const emptyListing: ListingSum = [0, 0]

/** The sum of many stamps, one after the other. */
export function summing(): { add(stamp: Stamp): void; sum(): ListingSum } {
  let [a, b] = emptyListing
  return {
    add(stamp) {
      hash(stamp)
      a = (a + lanes[0]) >>> 0
      b = (b + lanes[1]) >>> 0
    },
    sum: () => [a, b],
  }
}

export function addStamp([a, b]: ListingSum, stamp: Stamp): ListingSum {
  hash(stamp)
  return [(a + lanes[0]) >>> 0, (b + lanes[1]) >>> 0]
}

export function takeStamp([a, b]: ListingSum, stamp: Stamp): ListingSum {
  hash(stamp)
  return [(a - lanes[0]) >>> 0, (b - lanes[1]) >>> 0]
}

export const isSameListing = (one: ListingSum, other: ListingSum): boolean => one[0] === other[0] && one[1] === other[1]

const numbers = new Float64Array(3)
const words = new Int32Array(numbers.buffer)
const lanes = new Uint32Array(2)

/** Into `lanes`. A search computes this for every file of the vault before it answers, so it makes no garbage. */
function hash({ path, size, mtimeMs, ctimeMs }: Stamp): void {
  let a = 0x811c9dc5 | 0
  let b = 0x1b873593 | 0
  // Two units at a time; past the end there is NaN, which counts as nothing.
  for (let at = 0; at < path.length; at += 2) {
    const pair = path.charCodeAt(at) | (path.charCodeAt(at + 1) << 16)
    a = Math.imul(a ^ pair, 0x01000193)
    a ^= a >>> 15
    b = Math.imul(b + pair, 0x85ebca6b) ^ (b >>> 15)
  }
  numbers[0] = size
  numbers[1] = mtimeMs
  numbers[2] = ctimeMs
  for (let at = 0; at < words.length; at++) {
    a = Math.imul(a ^ words[at], 0x01000193)
    a ^= a >>> 15
    b = Math.imul(b + words[at], 0x85ebca6b) ^ (b >>> 13)
  }
  lanes[0] = Math.imul(a ^ (a >>> 16), 0x85ebca6b)
  lanes[1] = Math.imul(b ^ (b >>> 16), 0xc2b2ae35)
}
