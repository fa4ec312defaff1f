import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../../../test/runner/cpu-time.js'
import { fitLsa } from '../semantic/fit-lsa.js'
import { openVectors } from '../semantic/vector-block.js'
import { type NoteText, segmentBuilder } from './build-segment.js'
import { type Engine, type RankOptions, rank } from './rank.js'
import { openSegment } from './segment.js'
import { fitInput, segmentVectors } from './segment-vectors.js'

type TestNote = Partial<NoteText> & { id: number }

function engineOf(...notes: TestNote[]): Engine {
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

  it('finds notes whenever any word of the query occurs, common words included', () => {
    const engine = engineOf({ id: 1, chunks: ['the the the'] }, { id: 2, chunks: ['the sea'] }, ...filler)
    expect(found(engine, 'the')).toHaveLength(2)
    expect(found(engine, 'ordinary')).toHaveLength(10)
    expect(found(engine, 'ordinary unheardof')).toHaveLength(10)
    expect(found(engine, '!?')).toEqual([])
  })

  it('ranks the note named like the query above notes that mention it more often', () => {
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

  it('requires quoted words as a phrase', () => {
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

  it('finds a phrase after a partial match of itself', () => {
    const engine = engineOf(
      { id: 1, chunks: ['to be or to be or not'] },
      { id: 2, chunks: ['to be or to be'] },
      ...filler,
    )
    expect(found(engine, '"to be or not"')).toEqual([1])
  })

  it('reports a phrase that no note contains and searches for its words', () => {
    const engine = engineOf({ id: 1, chunks: ['the sea is old'] }, ...filler)
    const { hits, phraseMissed } = rank(engine, '"old sea"', { limit: 5, mode: 'lexical' })
    expect(phraseMissed).toBe(true)
    expect(hits.map(({ note }) => note)).toEqual([1])
  })

  it('corrects a word that the vault lacks and reports the correction', () => {
    const engine = engineOf({ id: 1, chunks: ['a ranking for marzipan'] }, ...filler)
    const { hits, corrected } = rank(engine, 'marzapan', { limit: 5, mode: 'lexical' })
    expect(corrected).toEqual({ marzapan: 'marzipan' })
    expect(hits[0].note).toBe(1)
  })

  it('returns the best matching passage', () => {
    const engine = engineOf({ id: 1, chunks: ['bread', 'the lighthouse keeper', 'weather'] }, ...filler)
    const [hit] = rank(engine, 'lighthouse', { limit: 5, mode: 'lexical' }).hits
    expect([hit.note, hit.ordinal]).toEqual([1, 1])
  })

  it('returns one hit per note, or every matching passage on request', () => {
    const engine = engineOf({ id: 1, chunks: ['lighthouse one', 'weather', 'lighthouse two lighthouse'] }, ...filler)
    const hits = (passages: boolean) => rank(engine, 'lighthouse', { limit: 5, mode: 'lexical', passages }).hits
    expect(hits(false)).toHaveLength(1)
    expect(hits(true).map(({ ordinal }) => ordinal)).toEqual([2, 0])
  })

  it('never returns a note that is not allowed, in any mode, and leaves other scores unchanged', () => {
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

  it('explains a hit by parts that add up to its total', () => {
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

  it('does not fail on any query', () => {
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

/** Alternates between the sea and a workshop; some sea sentences mention the tide. */
function sentence(at: number): string {
  const context = (at % 2 === 0 ? sea : shop).filter((_, word) => (at + word) % 3 !== 0)
  // Words of two notes only: more terms than dimensions, so that the model must generalise.
  return [...context, at % 16 === 0 ? 'tide' : 'day', `line${at % 40}`].join(' ')
}

function topics(): TestNote[] {
  return Array.from({ length: 80 }, (_, at) => ({ id: at + 1, chunks: [`${sentence(at)} ${at}`] }))
}

function semantic(notes: TestNote[]): Engine {
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

const hits = (engine: Engine, query: string) => rank(engine, query, { limit: 10, mode: 'hybrid' }).hits

const fortyFillers = Array.from({ length: 40 }, (_, at) => ({
  id: 100 + at,
  title: `Filler ${at}`,
  chunks: [`an ordinary day number ${at} with bread and weather`],
}))

describe('real queries', () => {
  it('rank by content words, not by function words', () => {
    const engine = engineOf(
      { id: 1, title: 'Newsletter', chunks: ['how do I do what I do, and how do you do what you do with my own'] },
      { id: 2, title: 'Backups', chunks: ['sync a folder by git'] },
      ...fortyFillers,
    )
    expect(found(engine, 'how do I sync my vault with git')[0]).toBe(2)
    expect(found(engine, 'wie kann ich das mit git machen')[0]).toBe(2)
  })

  it('do not match a name that shares only function words', () => {
    const engine = engineOf(
      { id: 1, title: 'How do I make a release', chunks: ['tag it and push'] },
      { id: 2, title: 'Dependencies', chunks: [`${'some words about other things '.repeat(3)} tasks wait`] },
      ...fortyFillers,
    )
    expect(found(engine, 'how do I make one task wait for another')[0]).toBe(2)
    expect(found(engine, 'how do I make the release')[0]).toBe(1)
  })

  it('rank adjacent words above scattered ones', () => {
    const apart = `style ${'word '.repeat(30)} settings`
    const engine = engineOf(
      { id: 1, chunks: [apart] },
      { id: 2, chunks: [`${'word '.repeat(30)} style settings`] },
      ...fortyFillers,
    )
    expect(found(engine, 'style settings')).toEqual([2, 1])
  })

  it('rank a whole identifier above its parts', () => {
    const parts = Array.from({ length: 8 }, (_, at) => ({
      id: 10 + at,
      chunks: ['css and themes, community or json'],
    }))
    const engine = engineOf(
      ...parts,
      { id: 1, chunks: ['add it to community-css-themes.json and wait'] },
      ...fortyFillers,
    )
    expect(found(engine, 'community-css-themes.json')[0]).toBe(1)
  })

  it('match dates in words with notes named by date', () => {
    const days = Array.from({ length: 28 }, (_, at) => ({
      id: at + 1,
      title: `2026-01-${String(at + 1).padStart(2, '0')}`,
      chunks: ['daily note of January 2026'],
    }))
    const engine = engineOf(...days, { id: 50, title: '2026_w07', chunks: ['week'] }, ...fortyFillers)
    expect(found(engine, 'daily note 9 January 2026')[0]).toBe(9)
    expect(found(engine, 'tagebuch 9. Januar 2026')[0]).toBe(9)
    expect(found(engine, 'week 7 of 2026')[0]).toBe(50)
  })

  it('match other spellings: one word or two, camel case, British and American', () => {
    const engine = engineOf(
      { id: 1, title: 'Workspaces', chunks: ['layouts'] },
      { id: 2, chunks: ['call cached read instead'] },
      { id: 3, chunks: ['how to organize a drawer'] },
      { id: 4, chunks: ['one note of many'] },
      ...fortyFillers,
    )
    expect(found(engine, 'work spaces')).toEqual([1])
    expect(found(engine, 'cachedRead')).toEqual([2])
    expect(found(engine, 'organise')).toEqual([3])
    expect(found(engine, 'manyone onenote')[0]).toBe(4)
  })

  it('rank first the note whose path, file name or link was pasted', () => {
    const engine = engineOf(
      { id: 1, path: 'a/Process.md', title: 'Morning', chunks: ['process process process'] },
      { id: 2, path: 'b/Process.md', title: 'Evening', chunks: ['nothing'] },
      { id: 3, path: 'c/Other.md', title: 'About b process md', chunks: ['b process md b process md'] },
      ...fortyFillers,
    )
    expect(found(engine, 'b/Process.md')[0]).toBe(2)
    expect(found(engine, 'a/Process')[0]).toBe(1)
    expect(found(engine, 'Process.md').slice(0, 2).sort()).toEqual([1, 2])
    expect(found(engine, '[[b/Process|that one]]')[0]).toBe(2)
  })

  it('find a pasted web address, and no note by parts of an address it links to', () => {
    const engine = engineOf(
      { id: 1, chunks: ['see [the docs](https://www.example.com/guide/setup?x=1#top) for more'] },
      { id: 2, chunks: ['see <https://example.com/guide/other>'] },
      { id: 3, chunks: ['a guide'] },
      ...fortyFillers,
    )
    expect(found(engine, 'guide')).toEqual([3])
    expect(found(engine, 'https://example.com/guide/setup?x=1#top')[0]).toBe(1)
    expect(found(engine, 'example.com/guide/other')[0]).toBe(2)
  })

  it('ignore HTML attributes', () => {
    const engine = engineOf({ id: 1, chunks: ['<span class="git-footer">read me</span>'] }, ...fortyFillers)
    expect(found(engine, 'footer')).toEqual([])
    expect(found(engine, 'read')).toEqual([1])
  })

  it('index a passage of punctuation in linear time', () => {
    const timeOf = (length: number) => {
      const signs = ['<a =', '<a ', 'https://', '='].map((sign) => sign.repeat(length / sign.length))
      return cpuTime(() => engineOf(...signs.map((text, at) => ({ id: at + 1, chunks: [`<a ${text}`] }))))
    }
    timeOf(1000)
    // Read again for every sign, this would take minutes.
    expect(timeOf(400_000)).toBeLessThan(5000)
  })

  it('do not confuse words that differ by one letter', () => {
    const engine = engineOf({ id: 1, chunks: ['paintings by Monet'] }, { id: 2, chunks: ['a refund'] }, ...fortyFillers)
    expect(rank(engine, 'money back', { limit: 5, mode: 'hybrid' })).not.toHaveProperty('corrected')
    expect(found(engine, 'money')).toEqual([])
  })

  it('score a note by how much of the query it covers', () => {
    const engine = engineOf({ id: 1, title: 'Tomatoes', chunks: ['tomatoes need sun'] }, ...fortyFillers)
    const [whole] = hits(engine, 'tomatoes')
    const [half] = hits(engine, 'tomatoes zeppelins')
    const [less] = hits(engine, 'tomatoes zeppelins submarines balloons')
    expect(whole.score).toBe(1)
    expect(half.score).toBeGreaterThan(less.score)
    expect(less.score).toBeLessThan(0.5)
  })

  it('are answered whatever characters they contain', () => {
    const engine = engineOf(
      { id: 1, path: 'x/y.md', title: '2026-01-01', chunks: ['a-b.c https://a.b/c'] },
      ...fortyFillers,
    )
    const piece = fc.constantFrom(
      'a',
      '-b',
      '.c',
      '/',
      'https://',
      'a.b/c',
      '[[',
      ']]',
      '2026',
      'January',
      '31',
      'aB',
      '#x',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        for (const { score } of hits(engine, pieces.join(''))) expect(score >= 0 && score <= 1).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
