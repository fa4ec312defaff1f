import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IndexCorrupt } from '../index-store.js'
import { mergeSegments, type NoteText, segmentBuilder } from './build-segment.js'
import { rank } from './rank.js'
import { openSegment, type Segment } from './segment.js'

function segmentOf(notes: readonly NoteText[]): Segment {
  const builder = segmentBuilder()
  for (const note of notes) builder.add(note)
  return openSegment(builder.build())
}

const words = 'sea sailing sailor harbour wind winds the море морем 東京 京都 x a1 storm quiet'.split(' ')
const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(' '))
const note = fc.record({
  path: fc.constantFrom('', 'sea/log.md', 'Harbour.md'),
  title: text,
  names: fc.array(text, { maxLength: 2 }),
  extra: text,
  chunks: fc.array(text, { maxLength: 3 }),
})
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), notes: fc.array(note, { maxLength: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), pick: fc.nat() }) },
)

describe('segments', () => {
  it('rank the same whatever the order of additions, removals and merges', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.array(text, { minLength: 1, maxLength: 4 }),
        (steps, queries) => {
          const live = new Map<number, NoteText>()
          let segments: Segment[] = []
          let nextId = 1
          for (const each of steps) {
            if (each.kind === 'add') {
              const added = each.notes.map((one) => ({ ...one, id: nextId++ }))
              for (const one of added) live.set(one.id, one)
              segments.push(segmentOf(added))
            } else if (each.kind === 'remove') {
              const id = [...live.keys()][each.pick % Math.max(1, live.size)]
              live.delete(id)
              for (const segment of segments) segment.kill(id)
            } else if (segments.length > 0) {
              const from = each.pick % segments.length
              segments = [...segments.slice(0, from), openSegment(mergeSegments(segments.slice(from)))]
            }
          }
          const fresh = segmentOf([...live.values()])
          for (const query of queries) {
            expect(answers(segments, query)).toEqual(answers([fresh], query))
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('give the same results when merged alone', () => {
    fc.assert(
      fc.property(fc.array(note, { maxLength: 6 }), (notes) => {
        const numbered = notes.map((one, at) => ({ ...one, id: at + 1 }))
        const built = segmentOf(numbered)
        expect(answers([openSegment(mergeSegments([built]))], 'sea wind море 東京')).toEqual(
          answers([built], 'sea wind море 東京'),
        )
        expect(openSegment(mergeSegments([built])).tokens).toBe(built.tokens)
      }),
    )
  })

  it('report which notes they have and which are dead', () => {
    const segment = segmentOf([plain(7, 'one', 'two'), plain(9, 'three')])
    expect([segment.has(7), segment.has(8), segment.chunkCount(7)]).toEqual([true, false, 2])
    segment.kill(7)
    segment.kill(7)
    segment.kill(8)
    expect([segment.has(7), segment.liveNotes, segment.liveTokens, segment.tokens]).toEqual([false, 1, 1, 3])
    expect([...segment.deadNotes()]).toEqual([7])
  })

  it('open at any alignment in memory', () => {
    const builder = segmentBuilder()
    builder.add(plain(1, 'sea'))
    const bytes = builder.build()
    for (let shift = 0; shift < 9; shift++) {
      const memory = new Uint8Array(bytes.length + 16)
      memory.set(bytes, shift)
      const segment = openSegment(memory.subarray(shift, shift + bytes.length))
      expect(rank({ segments: [{ segment }] }, 'sea', { limit: 5, mode: 'lexical' }).hits).toHaveLength(1)
    }
  })

  it('are rejected when a single bit has changed or the end is missing', () => {
    const builder = segmentBuilder()
    builder.add(plain(1, 'a storm at sea', 'and a quiet harbour'))
    const bytes = builder.build()
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const damaged = bytes.slice()
        damaged[bit >> 3] ^= 1 << (bit & 7)
        expect(() => openSegment(damaged)).toThrow(IndexCorrupt)
      }),
    )
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), (length) => {
        expect(() => openSegment(bytes.slice(0, length))).toThrow(IndexCorrupt)
      }),
    )
  })

  it('may be empty', () => {
    const segment = segmentOf([])
    expect(rank({ segments: [{ segment }] }, 'sea', { limit: 5, mode: 'hybrid' })).toEqual({ hits: [] })
  })
})

function plain(id: number, ...chunks: string[]): NoteText {
  return { id, path: '', title: '', names: [], extra: '', chunks }
}

/** Scores and, for each score, its notes: equal sums may differ in their last bit from one layout to another. */
function answers(segments: readonly Segment[], query: string): Map<string, string[]> {
  const { hits } = rank({ segments: segments.map((segment) => ({ segment })) }, query, { limit: 100, mode: 'lexical' })
  const byScore = new Map<string, string[]>()
  for (const { note, ordinal, score } of hits) {
    const key = score.toFixed(5)
    byScore.set(key, [...(byScore.get(key) ?? []), `${note}:${ordinal}`].sort())
  }
  return byScore
}
