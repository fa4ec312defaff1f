import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitLsa, openVectors } from '../semantic/index.js'
import { fitInput, segmentVectors } from './meanings.js'
import type { NoteText } from './note-text.js'
import { type Engine, type RankOptions, rank } from './rank.js'
import { openSegment } from './segment.js'
import { segmentBuilder } from './segment-builder.js'

type Given = Partial<NoteText> & { id: number }

function engineOf(...notes: Given[]): Engine {
  const builder = segmentBuilder()
  for (const note of notes) builder.add({ path: '', title: '', names: [], extra: '', chunks: [], ...note })
  return { segments: [{ segment: openSegment(builder.build()) }] }
}

function found(engine: Engine, query: string, options: Partial<RankOptions> = {}): number[] {
  return rank(engine, query, { limit: 10, mode: 'hybrid', ...options }).hits.map(({ note }) => note)
}

const filler = Array.from({ length: 30 }, (_, at) => ({
  id: 100 + at,
  title: `Filler ${at}`,
  chunks: [`an ordinary day number ${at} with bread and weather`],
}))

describe('ranking', () => {
  it('finds inflected forms, in several languages', () => {
    const engine = engineOf(
      { id: 1, chunks: ['the sailors were sailing'] },
      { id: 2, chunks: ['в этой книге много историй'] },
      { id: 3, chunks: ['東京都に住んでいます'] },
      ...filler,
    )
    expect(found(engine, 'sail')).toEqual([1])
    expect(found(engine, 'книги')).toEqual([2])
    expect(found(engine, '東京')).toEqual([3])
    expect(found(engine, '都')).toEqual([3])
  })

  it('answers whenever any word of the question occurs, common words included', () => {
    const engine = engineOf({ id: 1, chunks: ['the the the'] }, { id: 2, chunks: ['the sea'] }, ...filler)
    expect(found(engine, 'the')).toHaveLength(2)
    expect(found(engine, 'ordinary')).toHaveLength(10)
    expect(found(engine, 'ordinary unheardof')).toHaveLength(10)
    expect(found(engine, '!?')).toEqual([])
  })

  it('puts the note called what was asked before notes that speak of it more', () => {
    const engine = engineOf(
      { id: 1, title: 'Home', chunks: ['start here'] },
      { id: 2, title: 'Home improvement', chunks: ['home home home home'] },
      { id: 3, title: 'x', names: ['Domus'], chunks: ['latin'] },
      { id: 4, title: 'Domus and home', chunks: ['domus domus domus'] },
      { id: 5, title: 'A heading', path: 'folder/Home sweet.md', chunks: ['y'] },
      ...filler,
    )
    expect(found(engine, 'home')[0]).toBe(1)
    expect(found(engine, 'DOMUS')[0]).toBe(3)
    expect(found(engine, 'home sweet')[0]).toBe(5)
  })

  it('finds a note by its tags, properties and folders too', () => {
    const engine = engineOf({ id: 1, extra: 'astronomy', path: 'Telescopes/x.md', chunks: ['notes'] }, ...filler)
    expect(found(engine, 'astronomy')).toEqual([1])
    expect(found(engine, 'telescope')).toEqual([1])
  })

  it('asks quoted words to stand as they are', () => {
    const engine = engineOf(
      { id: 1, chunks: ['the old man and the sea'] },
      { id: 2, chunks: ['the sea and the old man'] },
      { id: 3, title: 'sea', names: ['and'], chunks: ['x'] },
      ...filler,
    )
    expect(found(engine, '"man and the sea"')).toEqual([1])
    expect(found(engine, '"the old man" sea').sort()).toEqual([1, 2])
    expect(found(engine, '"sea and"')).toEqual([2])
  })

  it('finds quoted words after a false start of themselves', () => {
    const engine = engineOf(
      { id: 1, chunks: ['to be or to be or not'] },
      { id: 2, chunks: ['to be or to be'] },
      ...filler,
    )
    expect(found(engine, '"to be or not"')).toEqual([1])
  })

  it('says so when quoted words are nowhere, and answers for their words', () => {
    const engine = engineOf({ id: 1, chunks: ['the sea is old'] }, ...filler)
    const { hits, phraseMissed } = rank(engine, '"old sea"', { limit: 5, mode: 'lexical' })
    expect(phraseMissed).toBe(true)
    expect(hits.map(({ note }) => note)).toEqual([1])
  })

  it('corrects a word the vault does not contain, and says which', () => {
    const engine = engineOf({ id: 1, chunks: ['a recipe for marzipan'] }, ...filler)
    const { hits, corrected } = rank(engine, 'marzapan', { limit: 5, mode: 'lexical' })
    expect(corrected).toEqual({ marzapan: 'marzipan' })
    expect(hits[0].note).toBe(1)
  })

  it('shows the passage that answers', () => {
    const engine = engineOf({ id: 1, chunks: ['bread', 'the lighthouse keeper', 'weather'] }, ...filler)
    const [hit] = rank(engine, 'lighthouse', { limit: 5, mode: 'lexical' }).hits
    expect([hit.note, hit.ordinal]).toEqual([1, 1])
  })

  it('shows one hit per note, or every passage that answers when asked', () => {
    const engine = engineOf({ id: 1, chunks: ['lighthouse one', 'weather', 'lighthouse two lighthouse'] }, ...filler)
    const hits = (passages: boolean) => rank(engine, 'lighthouse', { limit: 5, mode: 'lexical', passages }).hits
    expect(hits(false)).toHaveLength(1)
    expect(hits(true).map(({ ordinal }) => ordinal)).toEqual([2, 0])
  })

  it('never shows a note that is not allowed, in any mode, and scores the rest as before', () => {
    const engine = semantic(
      Array.from({ length: 80 }, (_, at) => ({ id: at + 1, title: `t${at}`, chunks: [sentence(at)] })),
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 90 })),
        fc.constantFrom<RankOptions['mode']>('hybrid', 'lexical', 'semantic'),
        fc.constantFrom('tide harbour', '"tide"', 't3', 'engine "no such words"'),
        (ids, mode, query) => {
          const allowed = Int32Array.from(ids).sort()
          const free = rank(engine, query, { limit: 100, mode }).hits
          const { hits } = rank(engine, query, { limit: 100, mode, allowed })
          for (const { note } of hits) expect(ids).toContain(note)
          if (query === 'tide harbour' && mode !== 'hybrid') {
            const before = free.filter(({ note }) => ids.includes(note))
            for (const hit of before) expect(hits).toContainEqual(hit)
          }
        },
      ),
    )
  })

  it('gives scores between 0 and 1, best first', () => {
    const { hits } = rank(semantic(topics()), 'harbour tide 7', { limit: 50, mode: 'hybrid' })
    const scores = hits.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
  })

  it('finds notes that share the topic but not the word', () => {
    const { hits } = rank(semantic(topics()), 'tide', { limit: 15, mode: 'semantic' })
    expect(hits.every(({ note }) => note % 2 === 1)).toBe(true)
    expect(hits.some(({ note }) => !(topics()[note - 1].chunks?.[0] ?? '').includes('tide'))).toBe(true)
  })

  it('explains a hit by parts that add up to its standing', () => {
    const engine = semantic(topics())
    const [hit, second] = rank(engine, 'harbour tide zeppelin', { limit: 2, mode: 'hybrid', explain: true }).hits
    const why = hit.why
    if (why === undefined) throw new Error('no explanation')
    const standing = (of: NonNullable<typeof why>) =>
      of.noteWords + of.passageWords + of.noteMeaning + of.passageMeaning + of.name
    const ratio = hit.score / second.score
    expect(second.why && standing(why) / standing(second.why)).toBeCloseTo(ratio, 10)
    expect(Object.keys(why.terms)).toEqual(expect.arrayContaining(['tide']))
  })

  it('does not fail on any question', () => {
    const engine = engineOf({ id: 1, title: 'constructor', chunks: ['__proto__ "quotes'] }, ...filler)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (query) => {
        for (const { score } of rank(engine, query, { limit: 3, mode: 'hybrid' }).hits) expect(score).toBeLessThan(1)
      }),
    )
    expect(found(engine, 'constructor')).toEqual([1])
  })
})

const sea = ['harbour', 'sailor', 'anchor', 'wave', 'lighthouse', 'storm']
const shop = ['engine', 'gear', 'piston', 'wrench', 'valve', 'bench']

/** By turns about the sea and a workshop; a few of those about the sea speak of the tide. */
function sentence(at: number): string {
  const context = (at % 2 === 0 ? sea : shop).filter((_, word) => (at + word) % 3 !== 0)
  // Words of two notes only: more terms than dimensions, so that the model must generalise.
  return [...context, at % 16 === 0 ? 'tide' : 'day', `line${at % 40}`].join(' ')
}

function topics(): Given[] {
  return Array.from({ length: 80 }, (_, at) => ({ id: at + 1, chunks: [`${sentence(at)} ${at}`] }))
}

function semantic(notes: Given[]): Engine {
  const { segments } = engineOf(...notes)
  const [{ segment }] = segments
  const model = finish(fitLsa(fitInput([segment])))
  return { model, segments: [{ segment, vectors: openVectors(finish(segmentVectors(segment, model))) }] }
}

function finish<T>(generator: Generator<number, T>): T {
  for (;;) {
    const step = generator.next()
    if (step.done) return step.value
  }
}
