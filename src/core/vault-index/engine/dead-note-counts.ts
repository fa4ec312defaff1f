import type { Segment } from './segment.js'
import { VarintReader } from './varint.js'

/** What the dead notes of a segment take off its counts. */
export interface DeadNoteCounts {
  readonly words: Int32Array
  readonly stems: Int32Array
  readonly names: Int32Array
  readonly chunks: Int32Array
}

/** Counts what these notes take with them, onto what was lost before. */
export function countDeadNotes(
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
  // Where each was met last: in this note (numbered from 1), or in this unit.
  const wordSeen = new Int32Array(words.length)
  const stemSeen = new Int32Array(stems.length)
  const stemSeenHere = new Int32Array(stems.length).fill(-1)

  function countUnit(stream: Uint8Array, unit: number, inUnits: Int32Array | undefined, turn: number): void {
    const reader = new VarintReader(stream, unitStreams[unit])
    while (reader.at < unitStreams[unit + 1]) {
      const word = reader.next()
      if (word === 0) continue
      const stem = wordStems[word]
      if (inUnits !== undefined && stemSeenHere[stem] !== unit) {
        stemSeenHere[stem] = unit
        inUnits[stem]++
      }
      if (wordSeen[word] === turn) continue
      wordSeen[word] = turn
      words[word]++
      if (stemSeen[stem] === turn) continue
      stemSeen[stem] = turn
      stems[stem]++
    }
  }

  for (const [at, note] of notes.entries()) {
    const [first, end] = [noteUnits[note], noteUnits[note + 1]]
    const chunkEnd = segment.chunkEnd(note)
    const stream = segment.streamOf(first, end)
    for (let unit = first; unit < end; unit++) {
      countUnit(stream, unit, unit === first ? names : unit < chunkEnd ? chunks : undefined, at + 1)
    }
  }
  return counts
}
