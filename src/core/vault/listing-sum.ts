import { folderOf } from './note-path.js'
import type { FileStamp } from './vault.js'

/**
 * A fingerprint of a set of stamps that does not depend on their order and can be kept up to date one file at a time:
 * the sum of two hashes of each. Equal sums mean that nothing has changed, without reading what the index knows.
 */
export type ListingSum = readonly [number, number]

export const emptyListing: ListingSum = [0, 0]

/** The sum of many files, one after the other. */
export function summing() {
  let [a, b] = emptyListing
  return {
    /** A search does this for every file of the vault before it answers: no path is put together, nothing is kept. */
    add(folder: string, name: string, size: number, mtimeMs: number, ctimeMs: number): void {
      hash(folder, name, size, mtimeMs, ctimeMs)
      a = (a + lanes[0]) | 0
      b = (b + lanes[1]) | 0
    },
    sum: (): ListingSum => [a >>> 0, b >>> 0],
  }
}

export function addStamp([a, b]: ListingSum, stamp: FileStamp): ListingSum {
  hashStamp(stamp)
  return [(a + lanes[0]) >>> 0, (b + lanes[1]) >>> 0]
}

export function takeStamp([a, b]: ListingSum, stamp: FileStamp): ListingSum {
  hashStamp(stamp)
  return [(a - lanes[0]) >>> 0, (b - lanes[1]) >>> 0]
}

export const isSameListing = (one: ListingSum, other: ListingSum): boolean => one[0] === other[0] && one[1] === other[1]

const numbers = new Float64Array(3)
const words = new Int32Array(numbers.buffer)
const lanes = new Int32Array(2)
const folderLanes = new Int32Array(2)
let lastFolder: string | undefined

function hashStamp({ path, size, mtimeMs, ctimeMs }: FileStamp): void {
  const folder = folderOf(path)
  hash(folder, folder === '' ? path : path.slice(folder.length + 1), size, mtimeMs, ctimeMs)
}

/** Into `lanes`. Files of one folder mostly come together, so that it is hashed once for all of them. */
function hash(folder: string, name: string, size: number, mtimeMs: number, ctimeMs: number): void {
  if (folder !== lastFolder) {
    hashText(folder, 0x811c9dc5 | 0, 0x1b873593 | 0)
    folderLanes.set(lanes)
    lastFolder = folder
  }
  hashText(name, folderLanes[0], folderLanes[1])
  let [a, b] = lanes
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

function hashText(text: string, fromA: number, fromB: number): void {
  // Where one text ends and the next begins counts too.
  let a = fromA ^ text.length
  let b = fromB
  // Two units at a time; past the end there is NaN, which counts as nothing.
  for (let at = 0; at < text.length; at += 2) {
    const pair = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
    a = Math.imul(a ^ pair, 0x01000193)
    a ^= a >>> 15
    b = Math.imul(b + pair, 0x85ebca6b) ^ (b >>> 15)
  }
  lanes[0] = a
  lanes[1] = b
}
