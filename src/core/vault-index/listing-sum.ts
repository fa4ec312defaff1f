import type { FileStamp } from '../vault/index.js'

/**
 * A fingerprint of a set of stamps that does not depend on their order and can be kept up to date one file at a time:
 * the sum of two hashes of each. Equal sums mean that nothing has changed, without reading what the index knows.
 */
export type ListingSum = readonly [number, number]

type Stamp = Pick<FileStamp, 'path' | 'size' | 'mtimeMs' | 'ctimeMs'>

export const emptyListing: ListingSum = [0, 0]

export function listingSum(stamps: Iterable<Stamp>): ListingSum {
  let sum = emptyListing
  for (const stamp of stamps) sum = addStamp(sum, stamp)
  return sum
}

export function addStamp([a, b]: ListingSum, stamp: Stamp): ListingSum {
  const text = textOf(stamp)
  return [(a + hash(text, 0x811c9dc5)) >>> 0, (b + hash(text, 0x1b873593)) >>> 0]
}

export function takeStamp([a, b]: ListingSum, stamp: Stamp): ListingSum {
  const text = textOf(stamp)
  return [(a - hash(text, 0x811c9dc5)) >>> 0, (b - hash(text, 0x1b873593)) >>> 0]
}

export const isSameListing = (one: ListingSum, other: ListingSum): boolean => one[0] === other[0] && one[1] === other[1]

const textOf = ({ path, size, mtimeMs, ctimeMs }: Stamp): string => `${path}\n${size} ${mtimeMs} ${ctimeMs}`

function hash(text: string, seed: number): number {
  let value = seed
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
