import type { OpenBlob } from '../index-store.js'
import { countDeadNotes, type DeadNoteCounts } from './dead-note-counts.js'
import { type Dictionary, findEntry } from './dictionary.js'
import { type SegmentArrays, unpackSegment } from './segment-format.js'
import { VarintReader } from './varint.js'

/**
 * Opens a segment in place: nothing is parsed, whatever its size. Throws IndexCorrupt when it is damaged. A store has
 * proved what it hands out, and what was just built needs no proof: then `isProved` saves reading all of it.
 */
export function openSegment(bytes: Uint8Array, isProved = false): Segment {
  return new Segment(unpackSegment(bytes, isProved))
}

/** Opens what a store hands out: postings and stream are asked for where they are looked at. */
export function openStored({ bytes, need }: OpenBlob): Segment {
  const base = bytes.byteOffset
  if (base % 8 !== 0) {
    // It has to be copied, all of it.
    need(0, bytes.length)
    return openSegment(bytes, true)
  }
  return new Segment(unpackSegment(bytes, true), (from, to) => need(from - base, to - base))
}

/** Postings and stream are reached through the segment alone, as they may not be there yet. */
type HeadArrays = Readonly<Omit<SegmentArrays, 'postings' | 'stream'>>

/**
 * Many notes, searchable; immutable but for the notes that have died since. Numbers of notes, words, stems and pieces
 * are exact at every moment: a note that dies takes its counts with it.
 */
export class Segment {
  readonly noteCount: number
  readonly chunkTotal: number
  /** Words in all notes, and in those still alive. */
  readonly tokens: number
  liveTokens: number
  liveNotes: number
  liveChunks: number
  /** Words in chunks and in names of live notes. */
  liveChunkTokens: number
  liveNameTokens: number
  /** 1 where a note is dead. */
  readonly dead: Uint8Array
  /** Scores of the query at hand; kept, so that a query makes no garbage. */
  readonly noteScores: Float32Array
  readonly unitScores: Float32Array
  /** Word number to what the query at hand wants of it; all 0 between queries. */
  readonly wordMarks: Int32Array
  private readonly words: Dictionary
  private readonly stems: Dictionary
  private numbers: Map<number, number> | undefined
  /** Notes that died since `deadCounts` were counted: who only writes never needs the counts. */
  private uncounted: number[] = []
  private deadCounts: DeadNoteCounts | undefined
  private places: Map<string, number> | undefined
  private nameBits: Uint8Array | undefined

  readonly arrays: HeadArrays
  private readonly postings: Uint8Array
  private readonly stream: Uint8Array

  constructor(
    arrays: SegmentArrays,
    /** Before bytes of the buffer behind the head are looked at. */
    private readonly need?: (from: number, to: number) => void,
  ) {
    const { noteIds, noteChunks } = arrays
    this.arrays = arrays
    this.postings = arrays.postings
    this.stream = arrays.stream
    this.noteCount = noteIds.length
    this.chunkTotal = noteChunks[noteIds.length]
    this.words = { bytes: arrays.wordBytes, offsets: arrays.wordOffsets, table: arrays.wordTable }
    this.stems = { bytes: arrays.stemBytes, offsets: arrays.stemOffsets, table: arrays.stemTable }
    this.dead = new Uint8Array(this.noteCount)
    this.noteScores = new Float32Array(this.noteCount)
    this.unitScores = new Float32Array(arrays.unitNotes.length)
    this.wordMarks = new Int32Array(arrays.wordStems.length)
    const [tokens, nameTokens, chunkTokens] = arrays.totals
    this.tokens = tokens
    this.liveTokens = tokens
    this.liveNotes = this.noteCount
    this.liveChunks = this.chunkTotal
    this.liveChunkTokens = chunkTokens
    this.liveNameTokens = nameTokens
  }

  /** Where to read the postings of a stem, from `postingOffsets` on. */
  postingsOf(stem: number): Uint8Array {
    const { postings, need } = this
    const { postingOffsets } = this.arrays
    const start = postings.byteOffset
    need?.(start + postingOffsets[stem], start + postingOffsets[stem + 1])
    return postings
  }

  /** Where to read the words of units from `first` to before `end`, from `unitStreams` on. */
  streamOf(first: number, end: number): Uint8Array {
    const { stream, need } = this
    const { unitStreams } = this.arrays
    const start = stream.byteOffset
    need?.(start + unitStreams[first], start + unitStreams[end])
    return stream
  }

  /** The unit after a note's last chunk. */
  chunkEnd(note: number): number {
    const { noteUnits, noteChunks } = this.arrays
    return noteUnits[note] + 1 + noteChunks[note + 1] - noteChunks[note]
  }

  /** Position of a note in the segment, dead or alive; -1 when it is not here. */
  noteNumber(id: number): number {
    this.numbers ??= new Map(Array.from(this.arrays.noteIds, (noteId, number) => [noteId, number]))
    return this.numbers.get(id) ?? -1
  }

  /** Whether the note is here and alive. */
  has(id: number): boolean {
    const note = this.noteNumber(id)
    return note >= 0 && this.dead[note] === 0
  }

  chunkCount(id: number): number {
    const note = this.noteNumber(id)
    return note < 0 ? 0 : this.arrays.noteChunks[note + 1] - this.arrays.noteChunks[note]
  }

  findWord(word: Uint8Array): number {
    return findEntry(this.words, word)
  }

  findStem(stem: Uint8Array): number {
    return findEntry(this.stems, stem)
  }

  /** Position of a word piece, or -1. */
  findGram(key: number): number {
    const { gramKeys } = this.arrays
    let low = 0
    let high = gramKeys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (gramKeys[middle] < key) low = middle + 1
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

  /** Position of the live note at a path; -1 when it is not here. */
  noteAt(path: string): number {
    if (this.places === undefined) {
      this.places = new Map()
      for (let note = 0; note < this.noteCount; note++) this.places.set(this.label(note).path, note)
    }
    const note = this.places.get(path) ?? -1
    return note >= 0 && this.dead[note] === 0 ? note : -1
  }

  /** Whether some note may be called what has this hash. Most that is asked is no name, and this says so at once. */
  mayBeName(key: number): boolean {
    if (this.nameBits === undefined) {
      this.nameBits = new Uint8Array(1 << 14)
      for (const name of this.arrays.nameKeys) this.nameBits[(name & 0x1ffff) >> 3] |= 1 << (name & 7)
    }
    return (this.nameBits[(key & 0x1ffff) >> 3] & (1 << (key & 7))) !== 0
  }

  /** Which of these stems a note holds, as places in the list. */
  holding(note: number, stems: readonly number[]): number[] {
    const { noteUnits, unitStreams, wordStems } = this.arrays
    const [from, to] = [noteUnits[note], noteUnits[note + 1]]
    const reader = new VarintReader(this.streamOf(from, to), unitStreams[from])
    const met = new Set<number>()
    while (reader.at < unitStreams[to]) {
      const word = reader.next()
      if (word !== 0) met.add(wordStems[word])
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

  /** Live notes that hold the word. */
  notesWithWord(word: number): number {
    return this.arrays.wordNotes[word] - (this.lost?.words[word] ?? 0)
  }

  notesWithStem(stem: number): number {
    return this.arrays.stemNotes[stem] - (this.lost?.stems[stem] ?? 0)
  }

  /** Live notes that have the stem in a name. */
  namesWithStem(stem: number): number {
    return this.arrays.stemNames[stem] - (this.lost?.names[stem] ?? 0)
  }

  chunksWithStem(stem: number): number {
    return this.arrays.stemChunks[stem] - (this.lost?.chunks[stem] ?? 0)
  }

  /** Live notes that hold a word with the piece, once for each such word: what can be counted without reading them. */
  holdingsOfGram(gram: number): number {
    const { gramNotes, gramOffsets, gramWords } = this.arrays
    const { lost } = this
    let holdings = gramNotes[gram]
    if (lost === undefined) return holdings
    const reader = new VarintReader(gramWords, gramOffsets[gram])
    for (let word = 0; reader.at < gramOffsets[gram + 1]; ) {
      word += reader.next()
      holdings -= lost.words[word]
    }
    return holdings
  }

  /** Takes a note out of all answers and all counts. A note that is not here, or dead already, is nothing new. */
  kill(id: number): void {
    const note = this.noteNumber(id)
    if (note < 0 || this.dead[note] === 1) return
    const { noteLengths, noteUnits, unitLengths } = this.arrays
    this.dead[note] = 1
    this.liveNotes--
    this.liveChunks -= this.chunkCount(id)
    this.liveTokens -= noteLengths[note]
    this.liveNameTokens -= unitLengths[noteUnits[note]]
    for (let unit = noteUnits[note] + 1; unit < this.chunkEnd(note); unit++) this.liveChunkTokens -= unitLengths[unit]
    this.uncounted.push(note)
  }

  /** Ids of the notes killed since the segment was built: what must be kept to open it again as it is. */
  deadNotes(): Int32Array {
    return this.arrays.noteIds.filter((_, note) => this.dead[note] === 1)
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
