import { buildSegment } from './invert.js'
import type { Segment } from './segment.js'
import { emptyGathered } from './segment-builder.js'
import { hashBytes } from './tokens.js'
import { VarintReader } from './varint.js'

/** One segment of the live notes of several: the same as if they had been added to one builder. */
export function mergeSegments(segments: readonly Segment[]): Uint8Array {
  const gathered = emptyGathered()
  for (const segment of segments) {
    const { noteIds, noteUnits, noteChunks, unitStreams, wordBytes, wordOffsets, nameKeys, nameNotes } = segment.arrays
    const words = new Int32Array(wordOffsets.length - 1).fill(-1)
    const newNotes = new Int32Array(noteIds.length).fill(-1)
    const reader = new VarintReader(segment.streamOf(0, unitStreams.length - 1), 0)
    for (let note = 0; note < noteIds.length; note++) {
      if (segment.dead[note] === 1) continue
      newNotes[note] = gathered.noteIds.length
      gathered.noteIds.push(noteIds[note])
      const { path, title } = segment.label(note)
      gathered.labels.push(path, title)
      gathered.noteUnits.push(gathered.unitEnds.length)
      gathered.noteChunkCounts.push(noteChunks[note + 1] - noteChunks[note])
      for (let unit = noteUnits[note]; unit < noteUnits[note + 1]; unit++) {
        reader.at = unitStreams[unit]
        while (reader.at < unitStreams[unit + 1]) {
          const old = reader.next()
          let word = words[old]
          if (word < 0) {
            const start = wordOffsets[old]
            const length = wordOffsets[old + 1] - start
            word = gathered.words.intern(wordBytes, start, length, hashBytes(wordBytes, start, start + length))
            words[old] = word
          }
          gathered.stream.push(word)
        }
        gathered.unitEnds.push(gathered.stream.length)
      }
    }
    for (let at = 0; at < nameKeys.length; at++) {
      if (newNotes[nameNotes[at]] < 0) continue
      gathered.nameKeys.push(nameKeys[at])
      gathered.nameNotes.push(newNotes[nameNotes[at]])
    }
  }
  return buildSegment(gathered)
}
