import { gramsOf, mostGrams } from './grams.js'
import type { Segment } from './segment.js'
import { VarintReader } from './varint.js'

/** What the dead notes of a segment take off its counts. */
export interface Losses {
  readonly words: Int32Array
  readonly stems: Int32Array
  readonly names: Int32Array
  readonly chunks: Int32Array
  readonly grams: Int32Array
}

/** Counts what these notes take with them, onto what was lost before. */
export function addLosses(segment: Segment, notes: readonly number[], before: Losses | undefined): Losses {
  const { arrays } = segment
  const { noteUnits, unitStreams, wordStems, wordBytes, wordOffsets } = arrays
  const losses = before ?? {
    words: new Int32Array(wordStems.length),
    stems: new Int32Array(arrays.stemNotes.length),
    names: new Int32Array(arrays.stemNotes.length),
    chunks: new Int32Array(arrays.stemNotes.length),
    grams: new Int32Array(arrays.gramKeys.length),
  }
  // Where each was met last: in this note (numbered from 1), or in this unit.
  const wordSeen = new Int32Array(losses.words.length)
  const stemSeen = new Int32Array(losses.stems.length)
  const stemSeenHere = new Int32Array(losses.stems.length).fill(-1)
  const wordGrams = new Map<number, Int32Array>()
  const pieces = new Uint32Array(mostGrams)

  function gramsIn(word: number): Int32Array {
    const known = wordGrams.get(word)
    if (known !== undefined) return known
    const count = gramsOf(wordBytes, wordOffsets[word], wordOffsets[word + 1], pieces)
    const grams = Int32Array.from(new Set(pieces.subarray(0, count)), (key) => segment.findGram(key))
    wordGrams.set(word, grams)
    return grams
  }

  for (const [at, note] of notes.entries()) {
    const turn = at + 1
    const chunkEnd = segment.chunkEnd(note)
    for (let unit = noteUnits[note]; unit < noteUnits[note + 1]; unit++) {
      const reader = new VarintReader(segment.streamOf(unit, unit + 1), unitStreams[unit])
      while (reader.at < unitStreams[unit + 1]) {
        const word = reader.next()
        if (word === 0) continue
        const stem = wordStems[word]
        if (stemSeenHere[stem] !== unit) {
          stemSeenHere[stem] = unit
          if (unit === noteUnits[note]) losses.names[stem]++
          else if (unit < chunkEnd) losses.chunks[stem]++
        }
        if (wordSeen[word] === turn) continue
        wordSeen[word] = turn
        losses.words[word]++
        if (stemSeen[stem] !== turn) {
          stemSeen[stem] = turn
          losses.stems[stem]++
        }
        for (const gram of gramsIn(word)) losses.grams[gram]++
      }
    }
  }
  return losses
}
