import { type FitInput, fitLimit, sampleUnits } from '../semantic/fit-lsa.js'
import type { LsaModel } from '../semantic/lsa-model.js'
import { projectUnit } from '../semantic/project-into-model.js'
import { emptyVectors } from '../semantic/vector-block.js'
import { Interner } from './dictionary.js'
import type { Segment } from './segment.js'
import { VarintReader } from './segment-format.js'
import { hashWord, isAddressWord } from './words.js'

// `!` is used on arrays of a segment at its own stems, notes and units (offsets have one entry more), and on arrays
// with one entry for each searched segment, stem or term.

/**
 * The input of a semantic model: the passages of live notes, each with the names of its note, or a sample of them.
 * Words of one passage are more closely related than words of one note.
 */
export function fitInput(segments: readonly Segment[], limit = fitLimit, seed = 1): FitInput {
  const vocabulary = new Interner()
  const numbers = segments.map(({ arrays: { stemBytes, stemOffsets } }) => {
    const own = new Int32Array(stemOffsets.length - 1)
    for (let stem = 0; stem < own.length; stem++) {
      const start = stemOffsets[stem]!
      own[stem] = vocabulary.intern(
        stemBytes,
        start,
        stemOffsets[stem + 1]! - start,
        hashWord(stemBytes, start, stemOffsets[stem + 1]!),
      )
    }
    return own
  })
  const documentFrequency = new Int32Array(vocabulary.count)
  for (const [at, segment] of segments.entries()) {
    const { stemBytes, stemOffsets } = segment.arrays
    for (let stem = 0; stem < numbers[at]!.length; stem++)
      if (!isAddressWord(stemBytes, stemOffsets[stem]!))
        documentFrequency[numbers[at]![stem]!]! += segment.chunksWithStem(stem)
  }
  const units = livePassages(segments)
  const sample = sampleUnits(units.length, limit, seed)
  const rowStart = new Int32Array(sample.length + 1)
  let terms = new Int32Array(1 << 16)
  let counts = new Uint16Array(1 << 16)
  let size = 0
  const counter = segments.map(stemCounter)
  for (const [row, unit] of sample.entries()) {
    const { at, names, passage } = units[unit]!
    counter[at]!.count(names, names + 1)
    const { met, occurrences } = counter[at]!.count(passage, passage + 1)
    if (size + met.length > terms.length) {
      const largerTerms = new Int32Array((size + met.length) * 2)
      largerTerms.set(terms)
      terms = largerTerms
      const largerCounts = new Uint16Array(largerTerms.length)
      largerCounts.set(counts)
      counts = largerCounts
    }
    for (const stem of met) {
      terms[size] = numbers[at]![stem]!
      counts[size++] = Math.min(occurrences[stem]!, 0xffff)
    }
    counter[at]!.clear()
    rowStart[row + 1] = size
  }
  const decoder = new TextDecoder()
  return {
    rows: { rowStart, terms: terms.subarray(0, size), counts: counts.subarray(0, size) },
    terms: Array.from({ length: vocabulary.count }, (_, number) => decoder.decode(vocabulary.entry(number))),
    documentFrequency,
    unitCount: units.length,
    seed,
  }
}

/**
 * Packed vectors of a segment's notes, then of its chunks. Yields progress, 0 to 1, so that a host can interleave
 * other work. A chunk is projected together with the names of its note.
 */
export function* segmentVectors(segment: Segment, model: LsaModel): Generator<number, Uint8Array> {
  const { noteUnits, noteChunks } = segment.arrays
  const encoder = new TextEncoder()
  const termOfStem = new Int32Array(segment.arrays.stemNotes.length).fill(-1)
  let term = 0
  for (const text of model.terms) {
    const stem = segment.findStem(encoder.encode(text))
    if (stem >= 0) termOfStem[stem] = term
    term++
  }
  const { id, dimension } = model
  const { bytes, vectors, scales } = emptyVectors({
    model: id,
    dimension,
    count: segment.noteCount + segment.chunkTotal,
  })
  const counter = stemCounter(segment)
  let terms = new Int32Array(1 << 10)
  let counts = new Int32Array(1 << 10)

  function fold(row: number): void {
    const { met, occurrences } = counter
    if (met.length > terms.length) {
      terms = new Int32Array(met.length * 2)
      counts = new Int32Array(met.length * 2)
    }
    let size = 0
    for (const stem of met) {
      if (termOfStem[stem]! < 0) continue
      terms[size] = termOfStem[stem]!
      counts[size++] = occurrences[stem]!
    }
    scales[row] = projectUnit(model, terms, counts, size, vectors, row * dimension)
    counter.clear()
  }

  for (let note = 0; note < segment.noteCount; note++) {
    counter.count(noteUnits[note]!, noteUnits[note + 1]!)
    fold(note)
    for (let chunk = noteChunks[note]!; chunk < noteChunks[note + 1]!; chunk++) {
      const unit = noteUnits[note]! + 1 + chunk - noteChunks[note]!
      counter.count(noteUnits[note]!, noteUnits[note]! + 1)
      counter.count(unit, unit + 1)
      fold(segment.noteCount + chunk)
    }
    if (note % 32 === 31) yield note / segment.noteCount
  }
  return bytes
}

interface Passage {
  at: number
  /** Units of the note's names and of the passage itself. */
  names: number
  passage: number
}

function livePassages(segments: readonly Segment[]): Passage[] {
  const units: Passage[] = []
  for (const [at, segment] of segments.entries()) {
    for (let note = 0; note < segment.noteCount; note++) {
      if (segment.dead[note] === 1) continue
      const names = segment.arrays.noteUnits[note]!
      for (let passage = names + 1; passage < segment.chunkEnd(note); passage++) units.push({ at, names, passage })
    }
  }
  return units
}

/** Counts stems over units; calls add up until `clear`. */
function stemCounter(segment: Segment) {
  const { unitStreams, wordStems, stemNotes } = segment.arrays
  const occurrences = new Int32Array(stemNotes.length)
  const met: number[] = []
  return {
    met: met as readonly number[],
    occurrences: occurrences as Readonly<Int32Array>,
    count(from: number, to: number) {
      const reader = new VarintReader(segment.streamOf(from, to), unitStreams[from]!)
      while (reader.at < unitStreams[to]!) {
        const word = reader.next()
        if (word !== 0 && occurrences[wordStems[word]!]!++ === 0) met.push(wordStems[word]!)
      }
      return { met, occurrences }
    },
    clear() {
      for (const stem of met) occurrences[stem] = 0
      met.length = 0
    },
  }
}
