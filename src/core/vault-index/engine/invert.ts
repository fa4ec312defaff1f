import { hashTable, Interner, tableSize } from './dictionary.js'
import { indexGrams } from './gram-index.js'
import type { Gathered } from './segment-builder.js'
import { packSegment } from './segment-format.js'
import { stemOf } from './stem.js'
import { hashBytes, longestWord } from './tokens.js'
import { VarintReader, type VarintWriter, varintSize, writeVarint } from './varint.js'

/** Turns notes with their words into words with their notes. */
export function buildSegment(gathered: Gathered): Uint8Array {
  const words = entriesOf(gathered.words)
  const { stems, wordStems } = stemWords(words)
  const notes = noteArrays(gathered)
  const counted = countPass(gathered, wordStems, stems.count, notes)
  const postings = postingPass(gathered.pairs, counted.postingOffsets, gathered.unitEnds.length)
  const grams = indexGrams(words, counted.wordNotes)
  return packSegment({
    totals: totalsOf(counted, notes),
    ...notes,
    ...packLabels(gathered.labels),
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
    ...sortedNames(gathered),
  })
}

function packLabels(texts: readonly string[]): { labelOffsets: Uint32Array; labels: Uint8Array } {
  const labelOffsets = new Uint32Array(texts.length + 1)
  const encoded = texts.map((text) => new TextEncoder().encode(text))
  for (const [at, { length }] of encoded.entries()) labelOffsets[at + 1] = labelOffsets[at] + length
  const labels = new Uint8Array(labelOffsets[texts.length])
  for (const [at, bytes] of encoded.entries()) labels.set(bytes, labelOffsets[at])
  return { labelOffsets, labels }
}

export interface NoteArrays {
  noteIds: Int32Array
  noteUnits: Int32Array
  noteChunks: Int32Array
  unitNotes: Int32Array
}

export interface Entries {
  bytes: Uint8Array
  offsets: Uint32Array
  count: number
}

type Counted = Pick<ReturnType<typeof countPass>, 'noteLengths' | 'unitLengths'>

function entriesOf({ bytes, offsets, count }: Interner): Entries {
  return { bytes: bytes.slice(0, offsets[count]), offsets: offsets.slice(0, count + 1), count }
}

function stemWords(words: Entries): { stems: Interner; wordStems: Int32Array } {
  const stems = new Interner()
  const wordStems = new Int32Array(words.count)
  wordStems[0] = -1
  const { bytes, offsets } = words
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const scratch = new Uint8Array(longestWord * 4)
  // One text in which plain words can be cut out by their offsets: most are, and calls to a decoder take longer.
  const plain = new TextDecoder('latin1').decode(bytes)
  for (let word = 1; word < words.count; word++) {
    const [start, end] = [offsets[word], offsets[word + 1]]
    const text = isPlain(bytes, start, end) ? plain.slice(start, end) : decoder.decode(bytes.subarray(start, end))
    const stem = stemOf(text)
    if (stem === text) {
      wordStems[word] = stems.intern(bytes, start, end - start, hashBytes(bytes, start, end))
    } else {
      const { written } = encoder.encodeInto(stem, scratch)
      wordStems[word] = stems.intern(scratch, 0, written, hashBytes(scratch, 0, written))
    }
  }
  return { stems, wordStems }
}

function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] > 127) return false
  return true
}

function tableOf({ bytes, offsets, count }: Entries): Int32Array {
  const hashes = new Int32Array(count)
  for (let number = 0; number < count; number++) hashes[number] = hashBytes(bytes, offsets[number], offsets[number + 1])
  return hashTable(hashes, count, tableSize(count))
}

function noteArrays({ noteIds, noteUnits, noteChunkCounts, unitEnds }: Gathered): NoteArrays {
  const noteChunks = new Int32Array(noteIds.length + 1)
  const unitNotes = new Int32Array(unitEnds.length)
  const firstUnits = new Int32Array([...noteUnits, unitEnds.length])
  for (let note = 0; note < noteIds.length; note++) {
    noteChunks[note + 1] = noteChunks[note] + noteChunkCounts[note]
    unitNotes.fill(note, firstUnits[note], firstUnits[note + 1])
  }
  return { noteIds: new Int32Array(noteIds), noteUnits: firstUnits, noteChunks, unitNotes }
}

/**
 * Counts everything that can be counted before the postings are written. `pairs` lists for each unit how many stems it
 * has, then each of them and how often it occurs.
 */
function countPass(
  gathered: Gathered,
  wordStems: Int32Array,
  stemCount: number,
  { noteUnits, noteChunks }: NoteArrays,
) {
  const { unitEnds, noteIds, words, pairs } = gathered
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
  const source = new VarintReader(gathered.stream.bytes, 0)
  for (let note = 0; note < noteIds.length; note++) {
    const firstUnit = noteUnits[note]
    const chunkEnd = firstUnit + 1 + noteChunks[note + 1] - noteChunks[note]
    for (let unit = firstUnit; unit < noteUnits[note + 1]; unit++) {
      met.size = 0
      let length = 0
      while (source.at < unitEnds[unit]) {
        const word = source.next()
        if (word === 0) continue
        length++
        if (wordSeen[word] !== note) {
          wordSeen[word] = note
          wordNotes[word]++
        }
        const stem = wordStems[word]
        if (occurrences[stem]++ === 0) met.push(stem)
      }
      pairs.push(met.size)
      for (let at = 0; at < met.size; at++) {
        const stem = met.numbers[at]
        const count = occurrences[stem]
        occurrences[stem] = 0
        if (stemSeen[stem] !== note) {
          stemSeen[stem] = note
          stemNotes[stem]++
        }
        if (unit === firstUnit) stemNames[stem]++
        else if (unit < chunkEnd) stemChunks[stem]++
        const distance = (unit - lastUnit[stem]) * 2
        sizes[stem] += count === 1 ? varintSize(distance + 1) : varintSize(distance) + varintSize(count)
        lastUnit[stem] = unit
        pairs.push(stem)
        pairs.push(count)
      }
      unitLengths[unit] = length
      noteLengths[note] += length
      unitStreams[unit + 1] = source.at
    }
  }
  const postingOffsets = new Uint32Array(stemCount + 1)
  for (let stem = 0; stem < stemCount; stem++) postingOffsets[stem + 1] = postingOffsets[stem] + sizes[stem]
  return {
    noteLengths,
    unitLengths,
    unitStreams,
    stream: gathered.stream.bytes.subarray(0, gathered.stream.length),
    wordNotes,
    stemNotes,
    stemNames,
    stemChunks,
    postingOffsets,
  }
}

function postingPass(pairs: VarintWriter, postingOffsets: Uint32Array, units: number): Uint8Array {
  const stemCount = postingOffsets.length - 1
  const postings = new Uint8Array(postingOffsets[stemCount])
  const places = postingOffsets.slice()
  const lastUnit = new Int32Array(stemCount)
  const source = new VarintReader(pairs.bytes, 0)
  for (let unit = 0; unit < units; unit++) {
    for (let left = source.next(); left > 0; left--) {
      const stem = source.next()
      const count = source.next()
      const distance = (unit - lastUnit[stem]) * 2
      lastUnit[stem] = unit
      places[stem] =
        count === 1
          ? writeVarint(postings, places[stem], distance + 1)
          : writeVarint(postings, writeVarint(postings, places[stem], distance), count)
    }
  }
  return postings
}

function totalsOf({ noteLengths, unitLengths }: Counted, { noteUnits, noteChunks }: NoteArrays): Int32Array {
  let all = 0
  let inNames = 0
  let inChunks = 0
  for (let note = 0; note < noteLengths.length; note++) {
    all += noteLengths[note]
    inNames += unitLengths[noteUnits[note]]
    const chunks = noteChunks[note + 1] - noteChunks[note]
    for (let place = 1; place <= chunks; place++) inChunks += unitLengths[noteUnits[note] + place]
  }
  return new Int32Array([all, inNames, inChunks])
}

function sortedNames({ nameKeys, nameNotes }: Gathered): { nameKeys: Uint32Array; nameNotes: Int32Array } {
  const order = nameKeys.map((_, at) => at).sort((a, b) => nameKeys[a] - nameKeys[b] || nameNotes[a] - nameNotes[b])
  return {
    nameKeys: new Uint32Array(order.map((at) => nameKeys[at])),
    nameNotes: new Int32Array(order.map((at) => nameNotes[at])),
  }
}

/** A list that keeps its memory when emptied. */
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
