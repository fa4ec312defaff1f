import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentBuilder } from './build-segment.js'
import { openSegment, type Segment } from './segment.js'
import { countSequence, notesWithout, notesWithPhrases, unitsWithStems, wordSequence } from './sequences.js'

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
  const row = wordSequence(segment, encoded(words))
  if (row === undefined) return counts
  for (const unit of unitsWithStems(segment, row)) {
    counts[segment.arrays.unitNotes[unit]] += countSequence(segment, unit, row, 1000)
  }
  return counts
}

describe('a word sequence', () => {
  it('is counted like a plain search counts it, whatever repeats in it', () => {
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

  it('is not found in dead notes', () => {
    const segment = segmentOf([
      ['aa', 'bb'],
      ['aa', 'bb'],
    ])
    segment.kill(1)
    expect([...(notesWithPhrases(segment, [encoded(['aa', 'bb'])]) ?? [])]).toEqual([0, 1])
  })
})

function segmentOfTexts(...texts: string[]) {
  const builder = segmentBuilder()
  for (const [at, text] of texts.entries()) {
    builder.add({ id: at + 1, path: '', title: `Note ${at + 1}`, names: [], extra: '', chunks: [text] })
  }
  return openSegment(builder.build())
}

const segment = segmentOfTexts(
  'soup of leeks',
  'soup with sour cream',
  'cream that is sour',
  'leek',
  'weather',
  '关于开会的笔记',
)
const without = (...texts: string[]) => [...notesWithout([segment], texts)]

describe('notesWithout', () => {
  it('excludes notes that contain a word in any form', () => {
    expect(without('leek')).toEqual([2, 3, 5, 6])
    expect(without('Leeks')).toEqual([2, 3, 5, 6])
    expect(without('nowhere')).toEqual([1, 2, 3, 4, 5, 6])
    expect(without('开会')).toEqual([1, 2, 3, 4, 5])
  })

  it('excludes notes that contain a phrase', () => {
    expect(without('sour cream')).toEqual([1, 3, 4, 5, 6])
    expect(without('sour cream', 'leek')).toEqual([3, 5, 6])
  })

  it('returns only allowed, live notes', () => {
    const other = segmentOfTexts('one', 'two', 'three')
    other.kill(2)
    expect([...notesWithout([other], ['one'], Int32Array.of(1, 2, 3))]).toEqual([3])
    expect([...notesWithout([other], ['nowhere'], Int32Array.of(1, 2))]).toEqual([1])
  })
})
