import { hashTable, Interner, tableSize } from './dictionary.js'
import { indexGrams } from './gram-index.js'
import type { Gathered } from './segment-builder.js'
import { packSegment } from './segment-format.js'
import { stemOf } from './stem.js'
import { hashBytes } from './tokens.js'
import { VarintReader, VarintWriter, varintSize, writeVarint } from './varint.js'

/** Turns notes with their words into words with their notes. */
export function buildSegment(gathered: Gathered): Uint8Array {
  const { order, numbers } = byFrequency(gathered)
  const words = reordered(gathered.words, order)
  const { stems, wordStems } = stemWords(words)
  const notes = noteArrays(gathered)
  const counted = countPass(gathered, numbers, wordStems, stems.count, notes)
  const postings = postingPass(counted, wordStems, notes)
  const grams = indexGrams(words, counted, notes)
  return packSegment({
    totals: totalsOf(counted, notes),
    ...notes,
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

export type Counted = ReturnType<typeof countPass>

/** Frequent words get small numbers, which take fewer bytes. Number 0 stays the break between names. */
function byFrequency({ words, frequencies }: Gathered): { order: Uint32Array; numbers: Uint32Array } {
  const keys = new Float64Array(words.count - 1)
  for (let word = 1; word < words.count; word++)
    keys[word - 1] = (2 ** 26 - Math.min(frequencies[word], 2 ** 26)) * 2 ** 26 + word
  keys.sort()
  const order = new Uint32Array(words.count)
  const numbers = new Uint32Array(words.count)
  for (let at = 0; at < keys.length; at++) {
    order[at + 1] = keys[at] % 2 ** 26
    numbers[order[at + 1]] = at + 1
  }
  return { order, numbers }
}

function reordered(words: Interner, order: Uint32Array): Entries {
  const offsets = new Uint32Array(words.count + 1)
  const bytes = new Uint8Array(words.offsets[words.count])
  for (let number = 0; number < words.count; number++) {
    const entry = words.entry(order[number])
    bytes.set(entry, offsets[number])
    offsets[number + 1] = offsets[number] + entry.length
  }
  return { bytes, offsets, count: words.count }
}

function stemWords(words: Entries): { stems: Interner; wordStems: Int32Array } {
  const stems = new Interner()
  const wordStems = new Int32Array(words.count)
  wordStems[0] = -1
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  for (let word = 1; word < words.count; word++) {
    const entry = words.bytes.subarray(words.offsets[word], words.offsets[word + 1])
    const text = decoder.decode(entry)
    const stem = stemOf(text)
    const bytes = stem === text ? entry : encoder.encode(stem)
    wordStems[word] = stems.intern(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length))
  }
  return { stems, wordStems }
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

/** Renumbers the stream and counts everything that can be counted before the postings are written. */
function countPass(
  gathered: Gathered,
  numbers: Uint32Array,
  wordStems: Int32Array,
  stemCount: number,
  { noteUnits, noteChunks, unitNotes }: NoteArrays,
) {
  const { unitEnds, noteIds } = gathered
  const units = unitEnds.length
  const noteLengths = new Int32Array(noteIds.length)
  const unitLengths = new Int32Array(units)
  const unitStreams = new Uint32Array(units + 1)
  const wordNotes = new Int32Array(numbers.length)
  const stemNotes = new Int32Array(stemCount)
  const stemNames = new Int32Array(stemCount)
  const stemChunks = new Int32Array(stemCount)
  const sizes = new Uint32Array(stemCount)
  const lastUnit = new Int32Array(stemCount)
  const wordSeen = new Int32Array(numbers.length).fill(-1)
  const stemSeen = new Int32Array(stemCount).fill(-1)
  const occurrences = new Int32Array(stemCount)
  let met = new Int32Array(1 << 10)
  const source = new VarintReader(gathered.stream.bytes, 0)
  const target = new VarintWriter(gathered.stream.length + 16)
  for (let unit = 0; unit < units; unit++) {
    const note = unitNotes[unit]
    let metCount = 0
    let length = 0
    while (source.at < unitEnds[unit]) {
      const word = numbers[source.next()]
      target.push(word)
      if (word === 0) continue
      length++
      if (wordSeen[word] !== note) {
        wordSeen[word] = note
        wordNotes[word]++
      }
      const stem = wordStems[word]
      if (occurrences[stem]++ === 0) {
        if (metCount === met.length) met = grown(met)
        met[metCount++] = stem
      }
    }
    const place = unit - noteUnits[note]
    const isName = place === 0
    const isChunk = !isName && place <= noteChunks[note + 1] - noteChunks[note]
    for (let at = 0; at < metCount; at++) {
      const stem = met[at]
      const count = occurrences[stem]
      occurrences[stem] = 0
      if (stemSeen[stem] !== note) {
        stemSeen[stem] = note
        stemNotes[stem]++
      }
      if (isName) stemNames[stem]++
      else if (isChunk) stemChunks[stem]++
      sizes[stem] +=
        count === 1
          ? varintSize((unit - lastUnit[stem]) * 2 + 1)
          : varintSize((unit - lastUnit[stem]) * 2) + varintSize(count)
      lastUnit[stem] = unit
    }
    unitLengths[unit] = length
    noteLengths[note] += length
    unitStreams[unit + 1] = target.length
  }
  const postingOffsets = new Uint32Array(stemCount + 1)
  for (let stem = 0; stem < stemCount; stem++) postingOffsets[stem + 1] = postingOffsets[stem] + sizes[stem]
  const stream = target.bytes.subarray(0, target.length)
  return { noteLengths, unitLengths, unitStreams, stream, wordNotes, stemNotes, stemNames, stemChunks, postingOffsets }
}

function postingPass(counted: Counted, wordStems: Int32Array, { unitNotes }: NoteArrays): Uint8Array {
  const { postingOffsets, stream, unitStreams } = counted
  const stemCount = postingOffsets.length - 1
  const postings = new Uint8Array(postingOffsets[stemCount])
  const places = postingOffsets.slice()
  const lastUnit = new Int32Array(stemCount)
  const occurrences = new Int32Array(stemCount)
  let met = new Int32Array(1 << 10)
  const source = new VarintReader(stream, 0)
  for (let unit = 0; unit < unitNotes.length; unit++) {
    let metCount = 0
    while (source.at < unitStreams[unit + 1]) {
      const word = source.next()
      if (word === 0) continue
      const stem = wordStems[word]
      if (occurrences[stem]++ === 0) {
        if (metCount === met.length) met = grown(met)
        met[metCount++] = stem
      }
    }
    for (let at = 0; at < metCount; at++) {
      const stem = met[at]
      const count = occurrences[stem]
      occurrences[stem] = 0
      const distance = (unit - lastUnit[stem]) * 2
      lastUnit[stem] = unit
      if (count === 1) {
        places[stem] = writeVarint(postings, places[stem], distance + 1)
      } else {
        places[stem] = writeVarint(postings, writeVarint(postings, places[stem], distance), count)
      }
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

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
