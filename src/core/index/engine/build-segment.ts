import { type DictionaryEntries, hashTable, Interner, tableSize } from './dictionary.js'
import { indexGrams } from './grams.js'
import type { Segment } from './segment.js'
import { nameBreak, packSegment, VarintReader, VarintWriter, varintSize, writeVarint } from './segment-format.js'
import { stemOf } from './stem.js'
import {
  eachVisibleWord,
  eachWord,
  emptyName,
  folderNames,
  hashName,
  hashWord,
  longestWord,
  noteBaseName,
  wordBytes,
} from './words.js'

// `!` is used on arrays of a segment at its own notes, units and words (offsets have one entry more), and on new
// numbers of all old notes and words.

/** The text of one note, as a segment indexes it. */
export interface NoteText {
  /** Document id in the store; no two notes of a segment share one. */
  id: number
  path: string
  title: string
  /** Names besides the title and the file name. */
  names: readonly string[]
  /** Tags and property text: searchable, but part of no passage. */
  extra: string
  chunks: readonly string[]
}

/** Collects notes one by one and builds an immutable, searchable segment of them. */
export function segmentBuilder() {
  const draft = emptyDraft()
  const { words, stream, unitEnds } = draft
  let nameHash = emptyName

  function takeWord(length: number, hash: number): void {
    stream.push(words.intern(wordBytes, 0, length, hash))
  }

  function takeNameWord(length: number, hash: number): void {
    nameHash = hashName(nameHash, hash)
    takeWord(length, hash)
  }

  function addNames({ title, names, path }: NoteText): void {
    const note = draft.noteIds.length
    const seen = new Set<string>()
    for (const name of [title, noteBaseName(path), ...names]) {
      const same = name.normalize('NFKC').toLowerCase().trim()
      if (same === '' || seen.has(same)) continue
      if (seen.size > 0) stream.push(nameBreak)
      seen.add(same)
      nameHash = emptyName
      eachWord(name, takeNameWord)
      if (nameHash === emptyName) continue
      draft.nameKeys.push(nameHash >>> 0)
      draft.nameNotes.push(note)
    }
    unitEnds.push(stream.length)
  }

  function addUnit(text: string): void {
    eachVisibleWord(text, takeWord)
    unitEnds.push(stream.length)
  }

  return {
    add(note: NoteText): void {
      draft.noteUnits.push(unitEnds.length)
      addNames(note)
      for (const chunk of note.chunks) addUnit(chunk)
      const aside = `${note.extra} ${folderNames(note.path)}`.trim()
      if (aside !== '') addUnit(aside)
      draft.noteIds.push(note.id)
      draft.labels.push(note.path, note.title)
      draft.noteChunkCounts.push(note.chunks.length)
    },
    /** Returns the finished segment and empties the builder, which keeps its memory. */
    build(): Uint8Array {
      const bytes = buildSegment(draft)
      clearDraft(draft)
      return bytes
    },
  }
}

/** Merges the live notes of several segments. The result equals one builder fed with all of them. */
export function mergeSegments(segments: readonly Segment[]): Uint8Array {
  const draft = emptyDraft()
  for (const segment of segments) {
    const { noteIds, noteUnits, noteChunks, unitStreams, wordBytes, wordOffsets, nameKeys, nameNotes } = segment.arrays
    const words = new Int32Array(wordOffsets.length - 1).fill(-1)
    const newNotes = new Int32Array(noteIds.length).fill(-1)
    const reader = new VarintReader(segment.streamOf(0, unitStreams.length - 1), 0)
    for (let note = 0; note < noteIds.length; note++) {
      if (segment.dead[note] === 1) continue
      newNotes[note] = draft.noteIds.length
      draft.noteIds.push(noteIds[note]!)
      const { path, title } = segment.label(note)
      draft.labels.push(path, title)
      draft.noteUnits.push(draft.unitEnds.length)
      draft.noteChunkCounts.push(noteChunks[note + 1]! - noteChunks[note]!)
      for (let unit = noteUnits[note]!; unit < noteUnits[note + 1]!; unit++) {
        reader.at = unitStreams[unit]!
        while (reader.at < unitStreams[unit + 1]!) {
          const old = reader.next()
          let word = words[old]!
          if (word < 0) {
            const start = wordOffsets[old]!
            const length = wordOffsets[old + 1]! - start
            word = draft.words.intern(wordBytes, start, length, hashWord(wordBytes, start, start + length))
            words[old] = word
          }
          draft.stream.push(word)
        }
        draft.unitEnds.push(draft.stream.length)
      }
    }
    for (let at = 0; at < nameKeys.length; at++) {
      if (newNotes[nameNotes[at]!]! < 0) continue
      draft.nameKeys.push(nameKeys[at]!)
      draft.nameNotes.push(newNotes[nameNotes[at]!]!)
    }
  }
  return buildSegment(draft)
}

/** The words of notes in order of appearance; `buildSegment` inverts them. */
interface SegmentDraft {
  words: Interner
  /** Word numbers of all units in order. Words are numbered by first appearance, so frequent ones are small. */
  stream: VarintWriter
  /** End of each unit in the word stream. */
  unitEnds: number[]
  noteIds: number[]
  /** Path and title of each note, one after the other. */
  labels: string[]
  /** For each note its first unit and how many of its units are chunks. */
  noteUnits: number[]
  noteChunkCounts: number[]
  nameKeys: number[]
  nameNotes: number[]
  /** Scratch memory of `buildSegment`. */
  pairs: VarintWriter
}

function emptyDraft(): SegmentDraft {
  const draft: SegmentDraft = {
    words: new Interner(),
    stream: new VarintWriter(),
    unitEnds: [],
    noteIds: [],
    labels: [],
    noteUnits: [],
    noteChunkCounts: [],
    nameKeys: [],
    nameNotes: [],
    pairs: new VarintWriter(),
  }
  clearDraft(draft)
  return draft
}

function clearDraft(draft: SegmentDraft): void {
  draft.words.clear()
  draft.words.intern(wordBytes, 0, 0, hashWord(wordBytes, 0, 0))
  draft.stream.length = 0
  for (const key of [
    'unitEnds',
    'noteIds',
    'labels',
    'noteUnits',
    'noteChunkCounts',
    'nameKeys',
    'nameNotes',
  ] as const) {
    draft[key].length = 0
  }
}

/** Inverts the draft: from notes with their words to words with their notes. */
function buildSegment(draft: SegmentDraft): Uint8Array {
  const words = entriesOf(draft.words)
  const { stems, wordStems } = stemWords(words)
  const notes = noteArrays(draft)
  const counted = countPass(draft, wordStems, stems.count, notes)
  const postings = postingPass(draft.pairs, counted.postingOffsets, draft.unitEnds.length)
  const grams = indexGrams(words, counted.wordNotes)
  return packSegment({
    totals: totalsOf(counted, notes),
    ...notes,
    ...packLabels(draft.labels),
    ...counted,
    wordOffsets: words.offsets,
    wordBytes: words.bytes,
    wordTable: tableOf(words),
    wordStems,
    stemOffsets: stems.offsets.slice(0, stems.count + 1),
    stemBytes: stems.bytes.slice(0, stems.offsets[stems.count]),
    stemTable: tableOf(stems),
    postings,
    ...grams,
    ...sortedNames(draft),
  })
}

function packLabels(texts: readonly string[]): { labelOffsets: Uint32Array; labels: Uint8Array } {
  const labelOffsets = new Uint32Array(texts.length + 1)
  const encoded = texts.map((text) => new TextEncoder().encode(text))
  for (const [at, { length }] of encoded.entries()) labelOffsets[at + 1] = labelOffsets[at]! + length
  const labels = new Uint8Array(labelOffsets[texts.length]!)
  for (const [at, bytes] of encoded.entries()) labels.set(bytes, labelOffsets[at])
  return { labelOffsets, labels }
}

interface NoteArrays {
  noteIds: Int32Array
  noteUnits: Int32Array
  noteChunks: Int32Array
  unitNotes: Int32Array
}

type Counted = Pick<ReturnType<typeof countPass>, 'noteLengths' | 'unitLengths'>

function entriesOf({ bytes, offsets, count }: Interner): DictionaryEntries {
  return { bytes: bytes.slice(0, offsets[count]), offsets: offsets.slice(0, count + 1), count }
}

function stemWords(words: DictionaryEntries): { stems: Interner; wordStems: Int32Array } {
  const stems = new Interner()
  const wordStems = new Int32Array(words.count)
  wordStems[0] = -1
  const { bytes, offsets } = words
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const scratch = new Uint8Array(longestWord * 4)
  // ASCII words are sliced out of one Latin-1 string: a decoder call per word takes longer.
  const plain = new TextDecoder('latin1').decode(bytes)
  for (let word = 1; word < words.count; word++) {
    const [start, end] = [offsets[word]!, offsets[word + 1]!]
    const text = isPlain(bytes, start, end) ? plain.slice(start, end) : decoder.decode(bytes.subarray(start, end))
    const stem = stemOf(text)
    if (stem === text) {
      wordStems[word] = stems.intern(bytes, start, end - start, hashWord(bytes, start, end))
    } else {
      const { written } = encoder.encodeInto(stem, scratch)
      wordStems[word] = stems.intern(scratch, 0, written, hashWord(scratch, 0, written))
    }
  }
  return { stems, wordStems }
}

function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > 127) return false
  return true
}

function tableOf({ bytes, offsets, count }: DictionaryEntries): Int32Array {
  const hashes = new Int32Array(count)
  for (let number = 0; number < count; number++)
    hashes[number] = hashWord(bytes, offsets[number]!, offsets[number + 1]!)
  return hashTable(hashes, count, tableSize(count))
}

function noteArrays({ noteIds, noteUnits, noteChunkCounts, unitEnds }: SegmentDraft): NoteArrays {
  const noteChunks = new Int32Array(noteIds.length + 1)
  const unitNotes = new Int32Array(unitEnds.length)
  const firstUnits = new Int32Array([...noteUnits, unitEnds.length])
  for (let note = 0; note < noteIds.length; note++) {
    noteChunks[note + 1] = noteChunks[note]! + noteChunkCounts[note]!
    unitNotes.fill(note, firstUnits[note], firstUnits[note + 1])
  }
  return { noteIds: new Int32Array(noteIds), noteUnits: firstUnits, noteChunks, unitNotes }
}

/**
 * First pass: all counts that the postings need. `pairs` receives for each unit its number of stems, then each stem
 * with its count.
 */
function countPass(
  draft: SegmentDraft,
  wordStems: Int32Array,
  stemCount: number,
  { noteUnits, noteChunks }: NoteArrays,
) {
  const { unitEnds, noteIds, words, pairs } = draft
  const units = unitEnds.length
  const noteLengths = new Int32Array(noteIds.length)
  const unitLengths = new Int32Array(units)
  const unitStreams = new Uint32Array(units + 1)
  const wordNotes = new Int32Array(words.count)
  const stemNotes = new Int32Array(stemCount)
  const stemNames = new Int32Array(stemCount)
  const stemChunks = new Int32Array(stemCount)
  const sizes = new Uint32Array(stemCount)
  const lastUnit = new Int32Array(stemCount)
  const wordSeen = new Int32Array(words.count).fill(-1)
  const stemSeen = new Int32Array(stemCount).fill(-1)
  const occurrences = new Int32Array(stemCount)
  const met = new NumberList()
  pairs.length = 0
  const source = new VarintReader(draft.stream.bytes, 0)
  for (let note = 0; note < noteIds.length; note++) {
    const firstUnit = noteUnits[note]!
    const chunkEnd = firstUnit + 1 + noteChunks[note + 1]! - noteChunks[note]!
    for (let unit = firstUnit; unit < noteUnits[note + 1]!; unit++) {
      met.size = 0
      let length = 0
      while (source.at < unitEnds[unit]!) {
        const word = source.next()
        if (word === 0) continue
        length++
        if (wordSeen[word] !== note) {
          wordSeen[word] = note
          wordNotes[word]!++
        }
        const stem = wordStems[word]!
        if (occurrences[stem]!++ === 0) met.push(stem)
      }
      pairs.push(met.size)
      for (let at = 0; at < met.size; at++) {
        const stem = met.numbers[at]!
        const count = occurrences[stem]!
        occurrences[stem] = 0
        if (stemSeen[stem] !== note) {
          stemSeen[stem] = note
          stemNotes[stem]!++
        }
        if (unit === firstUnit) stemNames[stem]!++
        else if (unit < chunkEnd) stemChunks[stem]!++
        const distance = (unit - lastUnit[stem]!) * 2
        sizes[stem]! += count === 1 ? varintSize(distance + 1) : varintSize(distance) + varintSize(count)
        lastUnit[stem] = unit
        pairs.push(stem)
        pairs.push(count)
      }
      unitLengths[unit] = length
      noteLengths[note]! += length
      unitStreams[unit + 1] = source.at
    }
  }
  const postingOffsets = new Uint32Array(stemCount + 1)
  for (let stem = 0; stem < stemCount; stem++) postingOffsets[stem + 1] = postingOffsets[stem]! + sizes[stem]!
  return {
    noteLengths,
    unitLengths,
    unitStreams,
    stream: draft.stream.bytes.subarray(0, draft.stream.length),
    wordNotes,
    stemNotes,
    stemNames,
    stemChunks,
    postingOffsets,
  }
}

function postingPass(pairs: VarintWriter, postingOffsets: Uint32Array, units: number): Uint8Array {
  const stemCount = postingOffsets.length - 1
  const postings = new Uint8Array(postingOffsets[stemCount]!)
  const places = postingOffsets.slice()
  const lastUnit = new Int32Array(stemCount)
  const source = new VarintReader(pairs.bytes, 0)
  for (let unit = 0; unit < units; unit++) {
    for (let left = source.next(); left > 0; left--) {
      const stem = source.next()
      const count = source.next()
      const distance = (unit - lastUnit[stem]!) * 2
      lastUnit[stem] = unit
      places[stem] =
        count === 1
          ? writeVarint(postings, places[stem]!, distance + 1)
          : writeVarint(postings, writeVarint(postings, places[stem]!, distance), count)
    }
  }
  return postings
}

function totalsOf({ noteLengths, unitLengths }: Counted, { noteUnits, noteChunks }: NoteArrays): Int32Array {
  let all = 0
  let inNames = 0
  let inChunks = 0
  for (let note = 0; note < noteLengths.length; note++) {
    all += noteLengths[note]!
    inNames += unitLengths[noteUnits[note]!]!
    const chunks = noteChunks[note + 1]! - noteChunks[note]!
    for (let place = 1; place <= chunks; place++) inChunks += unitLengths[noteUnits[note]! + place]!
  }
  return new Int32Array([all, inNames, inChunks])
}

function sortedNames({ nameKeys, nameNotes }: SegmentDraft): { nameKeys: Uint32Array; nameNotes: Int32Array } {
  const order = nameKeys.map((_, at) => at).sort((a, b) => nameKeys[a]! - nameKeys[b]! || nameNotes[a]! - nameNotes[b]!)
  return {
    nameKeys: new Uint32Array(order.map((at) => nameKeys[at]!)),
    nameNotes: new Int32Array(order.map((at) => nameNotes[at]!)),
  }
}

/** A growing list that keeps its memory when emptied. */
class NumberList {
  numbers = new Int32Array(1 << 10)
  size = 0

  push(value: number): void {
    if (this.size === this.numbers.length) {
      const larger = new Int32Array(this.size * 2)
      larger.set(this.numbers)
      this.numbers = larger
    }
    this.numbers[this.size++] = value
  }
}
