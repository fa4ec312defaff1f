import { IndexCorrupt } from '../index-store.js'

const magic = 0x5358_574e
export const formatVersion = 4
const headerWords = 4

/**
 * The parts of a segment, in the order they lie in its blob. A *unit* is a stretch of a note with its own length and
 * counts: first its names, then each chunk, last (if there is any) its tags, properties and folders.
 */
const sections = [
  /** Words in all units, in names, in chunks. */
  ['totals', Int32Array],
  ['noteIds', Int32Array],
  /** Path and title of each note, so that a hit can be named without asking the store. */
  ['labelOffsets', Uint32Array],
  ['labels', Uint8Array],
  /** First unit of each note, with one more at the end. */
  ['noteUnits', Int32Array],
  /** First chunk of each note, with one more at the end: the row of its vector. */
  ['noteChunks', Int32Array],
  ['noteLengths', Int32Array],
  ['unitNotes', Int32Array],
  ['unitLengths', Int32Array],
  /** Where each unit's words begin in `stream`, with one more at the end. */
  ['unitStreams', Uint32Array],
  ['wordOffsets', Uint32Array],
  ['wordBytes', Uint8Array],
  ['wordTable', Int32Array],
  ['wordStems', Int32Array],
  /** Notes that hold the word. */
  ['wordNotes', Int32Array],
  ['stemOffsets', Uint32Array],
  ['stemBytes', Uint8Array],
  ['stemTable', Int32Array],
  /** Notes that hold a word of the stem; notes that hold one in a name; chunks that hold one. */
  ['stemNotes', Int32Array],
  ['stemNames', Int32Array],
  ['stemChunks', Int32Array],
  ['postingOffsets', Uint32Array],
  /** Hashes of word pieces, ascending. */
  ['gramKeys', Uint32Array],
  /** Notes that hold a word with the piece, once for each such word. */
  ['gramNotes', Int32Array],
  ['gramOffsets', Uint32Array],
  /** For each piece its words, as distances. */
  ['gramWords', Uint8Array],
  /** Hashes of whole names, ascending, and the notes they belong to. */
  ['nameKeys', Uint32Array],
  ['nameNotes', Int32Array],
  /** For each stem its units: twice the distance to the one before, plus 1 when the count is 1; else the count. */
  ['postings', Uint8Array],
  /** Word numbers in order of appearance, varint. Words are numbered as first met, so frequent ones are short. */
  ['stream', Uint8Array],
] as const

/** The largest two stand last: a query looks at little of them. */
const headSections = sections.length - 2

type SectionArray<K> = K extends Int32ArrayConstructor
  ? Int32Array
  : K extends Uint32ArrayConstructor
    ? Uint32Array
    : Uint8Array
export type SegmentArrays = { [S in (typeof sections)[number] as S[0]]: SectionArray<S[1]> }

/** The arrays as one blob. */
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

/** How much of a packed segment lies before postings and stream. */
export function segmentHead(bytes: Uint8Array): number {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, headerWords + sections.length * 2)[
    headerWords + headSections * 2
  ]
}

/** Looks into a blob of `packSegment` without copying or parsing it. Throws IndexCorrupt when it is not one. */
export function unpackSegment(blob: Uint8Array, isProved = false): SegmentArrays {
  // Views of four-byte numbers need an aligned start; a store may hand out a slice of something larger.
  const bytes = blob.byteOffset % 8 === 0 ? blob : blob.slice()
  const start = 4 * (headerWords + sections.length * 2)
  if (bytes.length < start) throw new IndexCorrupt('A text segment is cut short.')
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, start / 4)
  if (header[0] !== magic || header[1] !== formatVersion) {
    throw new IndexCorrupt('This is not a text segment of this version.')
  }
  if (header[2] !== bytes.length || (!isProved && header[3] !== checksum(bytes))) {
    throw new IndexCorrupt('A text segment is damaged.')
  }
  const arrays: Record<string, unknown> = {}
  for (const [index, [name, kind]] of sections.entries()) {
    const [offset, length] = header.subarray(headerWords + index * 2, headerWords + index * 2 + 2)
    arrays[name] = new kind(bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, length)
  }
  return arrays as unknown as SegmentArrays
}

const aligned = (offset: number): number => (offset + 7) & ~7

/** Of everything but the checksum itself. Four lanes, so that a hundred megabytes take a few hundredths of a second. */
function checksum(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  let a = 1
  let b = 2
  let c = words[0]
  let d = words[1] ^ words[2]
  let at = headerWords
  for (; at + 4 <= words.length; at += 4) {
    a = Math.imul(a ^ words[at], 0x01000193)
    b = Math.imul(b ^ words[at + 1], 0x01000193)
    c = Math.imul(c ^ words[at + 2], 0x01000193)
    d = Math.imul(d ^ words[at + 3], 0x01000193)
  }
  for (; at < words.length; at++) a = Math.imul(a ^ words[at], 0x01000193)
  for (const lane of [b, c, d]) {
    a = Math.imul(a ^ (a >>> 15) ^ lane, 0x01000193)
  }
  return (a ^ (a >>> 16)) >>> 0
}
