import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notesWithPhrases } from './phrase.js'
import { openSegment, type Segment } from './segment.js'
import { segmentBuilder } from './segment-builder.js'
import { countRow, unitsWithStemsOf, wordRow } from './word-row.js'

const letters = fc.constantFrom('aa', 'bb', 'cc', 'dd')
const passage = fc.array(letters, { minLength: 1, maxLength: 30 })

function segmentOf(notes: readonly (readonly string[])[]) {
  const builder = segmentBuilder()
  for (const [at, words] of notes.entries()) {
    builder.add({ id: at + 1, path: '', title: '', names: [], extra: '', chunks: [words.join(' ')] })
  }
  return openSegment(builder.build())
}

const encoder = new TextEncoder()
const encoded = (words: readonly string[]) => words.map((word) => encoder.encode(word))
const timesIn = (words: readonly string[], row: readonly string[]) =>
  words.filter((_, at) => row.every((word, next) => words[at + next] === word)).length

function countsIn(segment: Segment, words: readonly string[]): number[] {
  const counts = new Array(segment.noteCount).fill(0)
  const row = wordRow(segment, encoded(words))
  if (row === undefined) return counts
  for (const unit of unitsWithStemsOf(segment, row)) {
    counts[segment.arrays.unitNotes[unit]] += countRow(segment, unit, row, 1000)
  }
  return counts
}

describe('a row of words', () => {
  it('is found as often as a plain search finds it, whatever repeats in it', () => {
    fc.assert(
      fc.property(
        fc.array(passage, { minLength: 1, maxLength: 6 }),
        fc.array(letters, { minLength: 1, maxLength: 4 }),
        (notes, words) => {
          const segment = segmentOf(notes)
          const counts = notes.map((note) => timesIn(note, words))
          expect(countsIn(segment, words)).toEqual(counts)
          const marks = notesWithPhrases(segment, [encoded(words)])
          expect([...(marks ?? new Uint8Array(notes.length))]).toEqual(counts.map((count) => (count > 0 ? 1 : 0)))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is not found in notes that have died', () => {
    const segment = segmentOf([
      ['aa', 'bb'],
      ['aa', 'bb'],
    ])
    segment.kill(1)
    expect([...(notesWithPhrases(segment, [encoded(['aa', 'bb'])]) ?? [])]).toEqual([0, 1])
  })
})
