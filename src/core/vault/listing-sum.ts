import { folderOf } from './note-path.js'
import type { FileStamp } from './vault.js'

// `!` is used on `numberWords`, below its length.

/**
 * A fingerprint of a set of stamps that does not depend on their order and can be kept up to date one file at a time:
 * the sum of two hashes of each. Equal sums mean that nothing has changed, without reading what the index knows.
 */
export type ListingSum = readonly [number, number]

/** Two hashes as signed 32-bit numbers: of a folder, or of a file with its stamp. */
interface HashPair {
  a: number
  b: number
}

export const emptyListing: ListingSum = [0, 0]

/** The sum of many files, one after the other. */
export function summing(): { add(file: HashPair): void; sum(): ListingSum } {
  let a = 0
  let b = 0
  return {
    add(file) {
      a = (a + file.a) | 0
      b = (b + file.b) | 0
    },
    sum: () => [a >>> 0, b >>> 0],
  }
}

export function addStamp([a, b]: ListingSum, stamp: FileStamp): ListingSum {
  const lanes = stampHashes(stamp)
  return [(a + lanes.a) >>> 0, (b + lanes.b) >>> 0]
}

export function takeStamp([a, b]: ListingSum, stamp: FileStamp): ListingSum {
  const lanes = stampHashes(stamp)
  return [(a - lanes.a) >>> 0, (b - lanes.b) >>> 0]
}

export const isSameListing = (one: ListingSum, other: ListingSum): boolean => one[0] === other[0] && one[1] === other[1]

/** The start of the hashes of all files in a folder. */
export function folderHashes(folder: string): HashPair {
  return mixText({ a: 0x811c9dc5 | 0, b: 0x1b873593 | 0 }, folder)
}

/** The hashes of a file in a folder. */
export function fileHashes(folder: HashPair, name: string, stamp: Omit<FileStamp, 'path'>): HashPair {
  let { a, b } = mixText(folder, name)
  numbers[0] = stamp.size
  numbers[1] = stamp.mtimeMs
  numbers[2] = stamp.ctimeMs
  for (let at = 0; at < numberWords.length; at++) {
    a = mixA(a, numberWords[at]!)
    b = mixB(b, numberWords[at]!)
  }
  return { a: Math.imul(a ^ (a >>> 16), 0x85ebca6b), b: Math.imul(b ^ (b >>> 16), 0xc2b2ae35) }
}

function mixText({ a: fromA, b: fromB }: HashPair, text: string): HashPair {
  let a = mixA(fromA, text.length)
  let b = mixB(fromB, text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = mixA(a, code)
    b = mixB(b, code)
  }
  return { a, b }
}

function mixA(lane: number, word: number): number {
  const mixed = Math.imul(lane ^ word, 0x01000193)
  return mixed ^ (mixed >>> 15)
}

function mixB(lane: number, word: number): number {
  const mixed = Math.imul(lane ^ word, 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

const numbers = new Float64Array(3)
const numberWords = new Int32Array(numbers.buffer)

let lastFolder = { path: '', lanes: folderHashes('') }

/** Files of one folder mostly come together, so that it is hashed once for all of them. */
function stampHashes(stamp: FileStamp): HashPair {
  const path = folderOf(stamp.path)
  if (path !== lastFolder.path) lastFolder = { path, lanes: folderHashes(path) }
  return fileHashes(lastFolder.lanes, path === '' ? stamp.path : stamp.path.slice(path.length + 1), stamp)
}
