import { IndexCorrupt } from '../index-store.js'

// `!` is used on numbers of the header, whose length was checked, and on words that the loop keeps below their count.

const magic = 0x5358_574e
const formatVersion = 4
const headerWords = 4

/**
 * The sections of a segment, in the order of its blob. A *unit* is a part of a note with its own length and counts:
 * first its names, then each chunk, last (if any) its tags, properties and folders.
 */
const sections = [
  /** Total words in all units, in names, in chunks. */
  ['totals', Int32Array],
  ['noteIds', Int32Array],
  /** Path and title of each note, so that hits are named without asking the store. */
  ['labelOffsets', Uint32Array],
  ['labels', Uint8Array],
  /** First unit of each note, plus an end. */
  ['noteUnits', Int32Array],
  /** First chunk of each note (the row of its vector), plus an end. */
  ['noteChunks', Int32Array],
  ['noteLengths', Int32Array],
  ['unitNotes', Int32Array],
  ['unitLengths', Int32Array],
  /** Start of each unit's words in `stream`, plus an end. */
  ['unitStreams', Uint32Array],
  ['wordOffsets', Uint32Array],
  ['wordBytes', Uint8Array],
  ['wordTable', Int32Array],
  ['wordStems', Int32Array],
  /** Notes that contain the word. */
  ['wordNotes', Int32Array],
  ['stemOffsets', Uint32Array],
  ['stemBytes', Uint8Array],
  ['stemTable', Int32Array],
  /** Notes that contain the stem, notes with it in a name, chunks with it. */
  ['stemNotes', Int32Array],
  ['stemNames', Int32Array],
  ['stemChunks', Int32Array],
  ['postingOffsets', Uint32Array],
  /** Hashes of grams, ascending. */
  ['gramKeys', Uint32Array],
  /** Notes with a word that has the gram, counted once per such word. */
  ['gramNotes', Int32Array],
  ['gramOffsets', Uint32Array],
  /** Words of each gram, delta-encoded. */
  ['gramWords', Uint8Array],
  /** Hashes of whole names, ascending, and their notes. */
  ['nameKeys', Uint32Array],
  ['nameNotes', Int32Array],
  /**
   * Units of each stem: twice the delta to the previous unit, plus 1 if the count is 1; otherwise the count follows.
   */
  ['postings', Uint8Array],
  /** Word numbers in order of appearance, as varints. Frequent words have small numbers. */
  ['stream', Uint8Array],
] as const

/** The two largest sections come last, because a query reads little of them. */
const headSections = sections.length - 2

type SectionArray<K> = K extends Int32ArrayConstructor
  ? Int32Array
  : K extends Uint32ArrayConstructor
    ? Uint32Array
    : Uint8Array
export type SegmentArrays = { [S in (typeof sections)[number] as S[0]]: SectionArray<S[1]> }

/** Separates two names of a note, so that no phrase spans both. */
export const nameBreak = 0

/** Packs the arrays into one blob. */
export function packSegment(arrays: SegmentArrays): Uint8Array {
  const start = 4 * (headerWords + sections.length * 2)
  let end = aligned(start)
  const table: number[] = []
  for (const [name] of sections) {
    table.push(end, arrays[name].length)
    end = aligned(end + arrays[name].byteLength)
  }
  const bytes = new Uint8Array(end)
  for (const [index, [name]] of sections.entries()) {
    const { buffer, byteOffset, byteLength } = arrays[name]
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), table[index * 2])
  }
  const header = new Uint32Array(bytes.buffer, 0, start / 4)
  header.set(table, headerWords)
  header.set([magic, formatVersion, end])
  header[3] = checksum(bytes)
  return bytes
}

/** Size of a packed segment up to its postings and stream. */
export function segmentHead(bytes: Uint8Array): number {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, headerWords + sections.length * 2)[
    headerWords + headSections * 2
  ]!
}

/** Opens a blob of `packSegment` in place. Throws IndexCorrupt if it is damaged. */
export function unpackSegment(blob: Uint8Array, isVerified = false): SegmentArrays {
  // Typed arrays need an aligned start, and a store may pass a slice of a larger buffer.
  const bytes = blob.byteOffset % 8 === 0 ? blob : blob.slice()
  const start = 4 * (headerWords + sections.length * 2)
  if (bytes.length < start) throw new IndexCorrupt('A text segment is cut short.')
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, start / 4)
  if (header[0] !== magic || header[1] !== formatVersion) {
    throw new IndexCorrupt('This is not a text segment of this version.')
  }
  if (header[2] !== bytes.length || (!isVerified && header[3] !== checksum(bytes))) {
    throw new IndexCorrupt('A text segment is damaged.')
  }
  const arrays: Record<string, unknown> = {}
  for (const [index, [name, kind]] of sections.entries()) {
    const offset = header[headerWords + index * 2]!
    const length = header[headerWords + index * 2 + 1]!
    arrays[name] = new kind(bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, length)
  }
  return arrays as unknown as SegmentArrays
}

const aligned = (offset: number): number => (offset + 7) & ~7

/** Covers everything but the checksum itself. Four lanes: 100 MB take a few hundredths of a second. */
function checksum(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  let a = 1
  let b = 2
  let c = words[0]!
  let d = words[1]! ^ words[2]!
  let at = headerWords
  for (; at + 4 <= words.length; at += 4) {
    a = Math.imul(a ^ words[at]!, 0x01000193)
    b = Math.imul(b ^ words[at + 1]!, 0x01000193)
    c = Math.imul(c ^ words[at + 2]!, 0x01000193)
    d = Math.imul(d ^ words[at + 3]!, 0x01000193)
  }
  for (; at < words.length; at++) a = Math.imul(a ^ words[at]!, 0x01000193)
  for (const lane of [b, c, d]) {
    a = Math.imul(a ^ (a >>> 15) ^ lane, 0x01000193)
  }
  return (a ^ (a >>> 16)) >>> 0
}

// `!` is used on bytes that a writer of this file has written; its reader knows how many numbers there are.

/** A growing byte array of numbers below 2^32 as varints: seven bits per byte. */
export class VarintWriter {
  bytes: Uint8Array<ArrayBuffer>
  length = 0

  constructor(capacity = 1 << 16) {
    this.bytes = new Uint8Array(capacity)
  }

  push(value: number): void {
    if (this.length + 5 > this.bytes.length) this.grow()
    const { bytes } = this
    let rest = value
    while (rest > 127) {
      bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    bytes[this.length++] = rest
  }

  private grow(): void {
    const larger = new Uint8Array(Math.ceil(this.bytes.length * 1.5) + 8)
    larger.set(this.bytes)
    this.bytes = larger
  }
}

/** Reads varints from `at` on. */
export class VarintReader {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
  ) {}

  next(): number {
    const { bytes } = this
    let byte = bytes[this.at++]!
    if (byte < 128) return byte
    let value = byte & 127
    for (let shift = 7; shift < 35; shift += 7) {
      byte = bytes[this.at++]!
      value |= (byte & 127) << shift
      if (byte < 128) break
    }
    return value >>> 0
  }
}

export function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5
}

/** Writes at `at` and returns the position after it. The caller provides the space. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let place = at
  let rest = value
  while (rest > 127) {
    bytes[place++] = (rest & 127) | 128
    rest >>>= 7
  }
  bytes[place++] = rest
  return place
}
