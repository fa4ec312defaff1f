import fc from 'fast-check'
import { expect, it } from 'vitest'
import { segmentBuilder } from './build-segment.js'
import { type Hit, rank } from './rank.js'
import { defaultWeights, type RankingWeights } from './ranking-weights.js'
import { openSegment } from './segment.js'
import { stemOf } from './stem.js'
import { wordsOf } from './words.js'

const words = fc.constantFrom('sea', 'seas', 'wind', 'winds', 'sail', 'sailing', 'storm', '東京', 'море')
const text = fc.array(words, { minLength: 1, maxLength: 15 }).map((list) => list.join(' '))
const plain = { ...defaultWeights, surface: 0, subword: 0 }

const givenNotes = fc.array(fc.record({ title: text, body: text }), { minLength: 1, maxLength: 12 })
type Given = { title: string; body: string }

it('scores one-chunk notes by BM25 over stems plus BM25 over names', () => {
  fc.assert(
    fc.property(givenNotes, text, (notes, query) => {
      const hits = explained(notes, query, plain)
      const expected = scores(notes, query)
      expect(hits.map(({ note }) => note).sort()).toEqual(
        notes
          .map((_, id) => id)
          .filter((id) => expected[id] > 0)
          .sort(),
      )
      for (const { note, why } of hits) {
        expect(why?.stems).toBeCloseTo(expected[note], 3)
        // A note with one passage ranks like that passage.
        expect(why?.passageWords).toBeCloseTo(why?.noteWords ?? 0, 3)
      }
    }),
  )
})

it('counts a pair of an unspaced script as stem, surface word and gram at once', () => {
  const unspaced = fc.constantFrom('東京', '東', '京', '京東', '東京東')
  fc.assert(
    fc.property(givenNotes, fc.array(unspaced, { minLength: 1, maxLength: 3 }), (notes, query) => {
      const expected = scores(notes, query.join(' '), 1.5)
      for (const { note, why } of explained(notes, query.join(' '), defaultWeights)) {
        expect(why?.stems).toBeCloseTo(expected[note], 3)
        expect(why).toMatchObject({ surface: 0, subword: 0 })
      }
    }),
  )
})

it("counts a word of every note's footer where it occurs in a name", () => {
  const foot = 'edit this page with git'
  const plugins = Array.from({ length: 1100 }, (_, id) => ({
    title: `plugin ${id}`,
    body: `${id < 50 ? 'sail sail' : 'storm'} ${foot}`,
  }))
  const notes = [...plugins, { title: 'git', body: `sail ${foot}` }]
  expect(explained(notes, 'git sail', plain)[0].note).toBe(1100)
})

function explained(notes: readonly Given[], query: string, ranking: RankingWeights): Hit[] {
  const builder = segmentBuilder()
  for (const [id, { title, body }] of notes.entries()) {
    builder.add({ id, path: '', title, names: [], extra: '', chunks: [body] })
  }
  const engine = { segments: [{ segment: openSegment(builder.build()) }] }
  return rank(engine, query, { limit: 20, mode: 'lexical', explain: true }, ranking).hits
}

/** The ranking, written down as plainly as it can be. */
function scores(notes: readonly Given[], query: string, pairGain = 1): number[] {
  const whole = notes.map(({ title, body }) => [...wordsOf(title), ...wordsOf(body)].map(stemOf))
  const names = notes.map(({ title }) => wordsOf(title).map(stemOf))
  const asked = wordsOf(query).map(stemOf)
  const count = (list: readonly string[], stem: string) => list.filter((each) => each === stem).length
  const average = (lists: readonly (readonly string[])[]) => lists.flat().length / lists.length
  const holders = (lists: readonly (readonly string[])[], stem: string) =>
    lists.filter((list) => list.includes(stem)).length
  const bm25 = (tf: number, length: number, mean: number, b: number) =>
    (tf * 2.2) / (tf + 1.2 * (1 - b + (b * length) / mean))
  return notes.map((_, note) => {
    let total = 0
    for (const stem of new Set(asked)) {
      const repeated = (count(asked, stem) * (defaultWeights.k3 + 1)) / (count(asked, stem) + defaultWeights.k3)
      const df = holders(whole, stem)
      const idf = Math.max(Math.log((notes.length - df + 0.5) / (df + 0.5)), 1e-6)
      const gain = idf > 1e-6 && /^\p{Script=Han}{2}$/u.test(stem) ? pairGain : 1
      total += gain * idf * repeated * bm25(count(whole[note], stem), whole[note].length, average(whole), 0.75)
      const nameDf = holders(names, stem)
      const nameIdf = Math.log(1 + (notes.length - nameDf + 0.5) / (nameDf + 0.5))
      total += 0.5 * nameIdf * repeated * bm25(count(names[note], stem), names[note].length, average(names), 0.3)
    }
    return total
  })
}
