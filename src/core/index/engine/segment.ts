import type { OpenBlob } from '../index-store.js'
import { type Dictionary, findEntry } from './dictionary.js'
import { type SegmentArrays, unpackSegment, VarintReader } from './segment-format.js'

// `!` is used on the arrays of a segment at its own notes, units, words, stems and grams. Arrays of offsets have one
// entry more, so that the next start is the end.

/**
 * Opens a segment in place without parsing. Throws IndexCorrupt if it is damaged. `isVerified` skips the checksum, for
 * bytes that a store has verified or that were just built.
 */
export function openSegment(bytes: Uint8Array, isVerified = false): Segment {
  return new Segment(unpackSegment(bytes, isVerified))
}

/** Opens a stored segment: postings and stream are loaded where they are read. */
export function openStored({ bytes, need }: OpenBlob): Segment {
  const base = bytes.byteOffset
  if (base % 8 !== 0) {
    // Unaligned bytes must be copied completely.
    need(0, bytes.length)
    return openSegment(bytes, true)
  }
  return new Segment(unpackSegment(bytes, true), (from, to) => need(from - base, to - base))
}

/** Postings and stream may not be loaded yet, so only the segment's methods give access to them. */
type HeadArrays = Readonly<Omit<SegmentArrays, 'postings' | 'stream'>>

/**
 * Many searchable notes, immutable except for notes that died since. Counts of notes, words, stems and grams are
 * always exact: they exclude dead notes.
 */
export class Segment {
  readonly noteCount: number
  readonly chunkTotal: number
  /** Words in all notes, and in live notes. */
  readonly tokens: number
  liveTokens: number
  liveNotes: number
  liveChunks: number
  /** Words in chunks and in names of live notes. */
  liveChunkTokens: number
  liveNameTokens: number
  /** 1 for dead notes. */
  readonly dead: Uint8Array
  /** Scores of the current query, in reused memory. */
  readonly noteScores: Float32Array
  readonly unitScores: Float32Array
  /** First feature of each word in the current query; all 0 between queries. */
  readonly wordMarks: Int32Array
  private readonly words: Dictionary
  private readonly stems: Dictionary
  private numbers: Map<number, number> | undefined
  /** Notes that died since `deadCounts` were computed. Computed lazily: writers never need the counts. */
  private uncounted: number[] = []
  private deadCounts: DeadNoteCounts | undefined
  private places: Map<string, number> | undefined
  private nameBits: Uint8Array | undefined

  readonly arrays: HeadArrays
  private readonly postings: Uint8Array
  private readonly stream: Uint8Array

  constructor(
    arrays: SegmentArrays,
    /** Called before bytes after the head are read. */
    private readonly need?: (from: number, to: number) => void,
  ) {
    const { noteIds, noteChunks } = arrays
    this.arrays = arrays
    this.postings = arrays.postings
    this.stream = arrays.stream
    this.noteCount = noteIds.length
    this.chunkTotal = noteChunks[noteIds.length]!
    this.words = { bytes: arrays.wordBytes, offsets: arrays.wordOffsets, table: arrays.wordTable }
    this.stems = { bytes: arrays.stemBytes, offsets: arrays.stemOffsets, table: arrays.stemTable }
    this.dead = new Uint8Array(this.noteCount)
    this.noteScores = new Float32Array(this.noteCount)
    this.unitScores = new Float32Array(arrays.unitNotes.length)
    this.wordMarks = new Int32Array(arrays.wordStems.length)
    const [tokens, nameTokens, chunkTokens] = arrays.totals as unknown as [number, number, number]
    this.tokens = tokens
    this.liveTokens = tokens
    this.liveNotes = this.noteCount
    this.liveChunks = this.chunkTotal
    this.liveChunkTokens = chunkTokens
    this.liveNameTokens = nameTokens
  }

  /** The buffer with the postings of a stem, which start at `postingOffsets`. */
  postingsOf(stem: number): Uint8Array {
    const { postings, need } = this
    const { postingOffsets } = this.arrays
    const start = postings.byteOffset
    need?.(start + postingOffsets[stem]!, start + postingOffsets[stem + 1]!)
    return postings
  }

  /** The buffer with the words of units `first` to `end` (exclusive), which start at `unitStreams`. */
  streamOf(first: number, end: number): Uint8Array {
    const { stream, need } = this
    const { unitStreams } = this.arrays
    const start = stream.byteOffset
    need?.(start + unitStreams[first]!, start + unitStreams[end]!)
    return stream
  }

  /** End of a note's chunks, as a unit. */
  chunkEnd(note: number): number {
    const { noteUnits, noteChunks } = this.arrays
    return noteUnits[note]! + 1 + noteChunks[note + 1]! - noteChunks[note]!
  }

  /** Position of a note in the segment, dead or alive, or -1. */
  noteNumber(id: number): number {
    this.numbers ??= new Map(Array.from(this.arrays.noteIds, (noteId, number) => [noteId, number]))
    return this.numbers.get(id) ?? -1
  }

  /** True if the segment has the note and it is alive. */
  has(id: number): boolean {
    const note = this.noteNumber(id)
    return note >= 0 && this.dead[note] === 0
  }

  chunkCount(id: number): number {
    const note = this.noteNumber(id)
    return note < 0 ? 0 : this.arrays.noteChunks[note + 1]! - this.arrays.noteChunks[note]!
  }

  findWord(word: Uint8Array): number {
    return findEntry(this.words, word)
  }

  findStem(stem: Uint8Array): number {
    return findEntry(this.stems, stem)
  }

  /** Position of a gram, or -1. */
  findGram(key: number): number {
    const { gramKeys } = this.arrays
    let low = 0
    let high = gramKeys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (gramKeys[middle]! < key) low = middle + 1
      else high = middle
    }
    return gramKeys[low] === key ? low : -1
  }

  wordText(word: number): string {
    const { wordBytes, wordOffsets } = this.arrays
    return decoder.decode(wordBytes.subarray(wordOffsets[word], wordOffsets[word + 1]))
  }

  stemText(stem: number): string {
    const { stemBytes, stemOffsets } = this.arrays
    return decoder.decode(stemBytes.subarray(stemOffsets[stem], stemOffsets[stem + 1]))
  }

  /** Path and title of the note at a position. */
  label(note: number): { path: string; title: string } {
    const { labels, labelOffsets } = this.arrays
    const text = (at: number) => decoder.decode(labels.subarray(labelOffsets[at], labelOffsets[at + 1]))
    return { path: text(note * 2), title: text(note * 2 + 1) }
  }

  /** Position of the live note at a path, or -1. */
  noteAt(path: string): number {
    if (this.places === undefined) {
      this.places = new Map()
      for (let note = 0; note < this.noteCount; note++) this.places.set(this.label(note).path, note)
    }
    const note = this.places.get(path) ?? -1
    return note >= 0 && this.dead[note] === 0 ? note : -1
  }

  /** False if no note has a name with this hash. A quick filter: most candidates are no names. */
  mayBeName(key: number): boolean {
    if (this.nameBits === undefined) {
      this.nameBits = new Uint8Array(1 << 14)
      for (const name of this.arrays.nameKeys) this.nameBits[(name & 0x1ffff) >> 3]! |= 1 << (name & 7)
    }
    return (this.nameBits[(key & 0x1ffff) >> 3]! & (1 << (key & 7))) !== 0
  }

  /** Indexes of those stems in the list that the note contains. */
  holding(note: number, stems: readonly number[]): number[] {
    const { noteUnits, unitStreams, wordStems } = this.arrays
    const [from, to] = [noteUnits[note]!, noteUnits[note + 1]!]
    const reader = new VarintReader(this.streamOf(from, to), unitStreams[from]!)
    const met = new Set<number>()
    while (reader.at < unitStreams[to]!) {
      const word = reader.next()
      if (word !== 0) met.add(wordStems[word]!)
    }
    return stems.flatMap((stem, place) => (met.has(stem) ? [place] : []))
  }

  private get lost(): DeadNoteCounts | undefined {
    if (this.uncounted.length > 0) {
      this.deadCounts = countDeadNotes(this, this.uncounted, this.deadCounts)
      this.uncounted = []
    }
    return this.deadCounts
  }

  /** Live notes that contain the word. */
  notesWithWord(word: number): number {
    return this.arrays.wordNotes[word]! - (this.lost?.words[word] ?? 0)
  }

  notesWithStem(stem: number): number {
    return this.arrays.stemNotes[stem]! - (this.lost?.stems[stem] ?? 0)
  }

  /** Live notes that have the stem in a name. */
  namesWithStem(stem: number): number {
    return this.arrays.stemNames[stem]! - (this.lost?.names[stem] ?? 0)
  }

  chunksWithStem(stem: number): number {
    return this.arrays.stemChunks[stem]! - (this.lost?.chunks[stem] ?? 0)
  }

  /** Live notes with a word that has the gram, counted once per such word: countable without reading notes. */
  holdingsOfGram(gram: number): number {
    const { gramNotes, gramOffsets, gramWords } = this.arrays
    const { lost } = this
    let holdings = gramNotes[gram]!
    if (lost === undefined) return holdings
    const reader = new VarintReader(gramWords, gramOffsets[gram]!)
    for (let word = 0; reader.at < gramOffsets[gram + 1]!; ) {
      word += reader.next()
      holdings -= lost.words[word]!
    }
    return holdings
  }

  /** Excludes a note from results and counts. Unknown and dead notes are ignored. */
  kill(id: number): void {
    const note = this.noteNumber(id)
    if (note < 0 || this.dead[note] === 1) return
    const { noteLengths, noteUnits, unitLengths } = this.arrays
    this.dead[note] = 1
    this.liveNotes--
    this.liveChunks -= this.chunkCount(id)
    this.liveTokens -= noteLengths[note]!
    this.liveNameTokens -= unitLengths[noteUnits[note]!]!
    for (let unit = noteUnits[note]! + 1; unit < this.chunkEnd(note); unit++) this.liveChunkTokens -= unitLengths[unit]!
    this.uncounted.push(note)
  }

  /** Ids of dead notes, which must be stored to reopen the segment. */
  deadNotes(): Int32Array {
    return this.arrays.noteIds.filter((_, note) => this.dead[note] === 1)
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Counts of a segment's dead notes, to subtract. */
interface DeadNoteCounts {
  readonly words: Int32Array
  readonly stems: Int32Array
  readonly names: Int32Array
  readonly chunks: Int32Array
}

/** Adds the counts of these notes to `before`. */
function countDeadNotes(
  segment: Segment,
  notes: readonly number[],
  before: DeadNoteCounts | undefined,
): DeadNoteCounts {
  const { arrays } = segment
  const { noteUnits, unitStreams, wordStems } = arrays
  const counts = before ?? {
    words: new Int32Array(wordStems.length),
    stems: new Int32Array(arrays.stemNotes.length),
    names: new Int32Array(arrays.stemNotes.length),
    chunks: new Int32Array(arrays.stemNotes.length),
  }
  const { words, stems, names, chunks } = counts
  // Last occurrence of each: the note (numbered from 1), or the unit.
  const wordSeen = new Int32Array(words.length)
  const stemSeen = new Int32Array(stems.length)
  const stemSeenHere = new Int32Array(stems.length).fill(-1)

  function countUnit(stream: Uint8Array, unit: number, inUnits: Int32Array | undefined, turn: number): void {
    const reader = new VarintReader(stream, unitStreams[unit]!)
    while (reader.at < unitStreams[unit + 1]!) {
      const word = reader.next()
      if (word === 0) continue
      const stem = wordStems[word]!
      if (inUnits !== undefined && stemSeenHere[stem] !== unit) {
        stemSeenHere[stem] = unit
        inUnits[stem]!++
      }
      if (wordSeen[word] === turn) continue
      wordSeen[word] = turn
      words[word]!++
      if (stemSeen[stem] === turn) continue
      stemSeen[stem] = turn
      stems[stem]!++
    }
  }

  for (const [at, note] of notes.entries()) {
    const [first, end] = [noteUnits[note]!, noteUnits[note + 1]!]
    const chunkEnd = segment.chunkEnd(note)
    const stream = segment.streamOf(first, end)
    for (let unit = first; unit < end; unit++) {
      countUnit(stream, unit, unit === first ? names : unit < chunkEnd ? chunks : undefined, at + 1)
    }
  }
  return counts
}
