import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NoteText } from './note-text.js'
import { type Engine, rank } from './rank.js'
import { openSegment } from './segment.js'
import { segmentBuilder } from './segment-builder.js'

type Given = Partial<NoteText> & { id: number }

function engineOf(...notes: Given[]): Engine {
  const builder = segmentBuilder()
  for (const note of notes) builder.add({ path: '', title: '', names: [], extra: '', chunks: [], ...note })
  return { segments: [{ segment: openSegment(builder.build()) }] }
}

const hits = (engine: Engine, query: string) => rank(engine, query, { limit: 10, mode: 'hybrid' }).hits
const found = (engine: Engine, query: string) => hits(engine, query).map(({ note }) => note)

const filler = Array.from({ length: 40 }, (_, at) => ({
  id: 100 + at,
  title: `Filler ${at}`,
  chunks: [`an ordinary day number ${at} with bread and weather`],
}))

describe('what people type', () => {
  it('is ranked by what it is about, not by how the question is put', () => {
    const engine = engineOf(
      { id: 1, title: 'Newsletter', chunks: ['how do I do what I do, and how do you do what you do with my own'] },
      { id: 2, title: 'Backups', chunks: ['sync a folder by git'] },
      ...filler,
    )
    expect(found(engine, 'how do I sync my vault with git')[0]).toBe(2)
    expect(found(engine, 'wie kann ich das mit git machen')[0]).toBe(2)
  })

  it('is not met by a name that shares only how the question is put', () => {
    const engine = engineOf(
      { id: 1, title: 'How do I make a release', chunks: ['tag it and push'] },
      { id: 2, title: 'Dependencies', chunks: [`${'some words about other things '.repeat(3)} tasks wait`] },
      ...filler,
    )
    expect(found(engine, 'how do I make one task wait for another')[0]).toBe(2)
    expect(found(engine, 'how do I make the release')[0]).toBe(1)
  })

  it('finds words that stand together before words that stand apart', () => {
    const apart = `style ${'word '.repeat(30)} settings`
    const engine = engineOf(
      { id: 1, chunks: [apart] },
      { id: 2, chunks: [`${'word '.repeat(30)} style settings`] },
      ...filler,
    )
    expect(found(engine, 'style settings')).toEqual([2, 1])
  })

  it('finds an identifier as a whole before notes that hold its parts', () => {
    const parts = Array.from({ length: 8 }, (_, at) => ({
      id: 10 + at,
      chunks: ['css and themes, community or json'],
    }))
    const engine = engineOf(...parts, { id: 1, chunks: ['add it to community-css-themes.json and wait'] }, ...filler)
    expect(found(engine, 'community-css-themes.json')[0]).toBe(1)
  })

  it('reads a date in words as the date that notes are named by', () => {
    const days = Array.from({ length: 28 }, (_, at) => ({
      id: at + 1,
      title: `2026-01-${String(at + 1).padStart(2, '0')}`,
      chunks: ['daily note of January 2026'],
    }))
    const engine = engineOf(...days, { id: 50, title: '2026_w07', chunks: ['week'] }, ...filler)
    expect(found(engine, 'daily note 9 January 2026')[0]).toBe(9)
    expect(found(engine, 'tagebuch 9. Januar 2026')[0]).toBe(9)
    expect(found(engine, 'week 7 of 2026')[0]).toBe(50)
  })

  it('finds other spellings: one word or two, humps, both sides of the Atlantic', () => {
    const engine = engineOf(
      { id: 1, title: 'Workspaces', chunks: ['layouts'] },
      { id: 2, chunks: ['call cached read instead'] },
      { id: 3, chunks: ['how to organize a drawer'] },
      { id: 4, chunks: ['one note of many'] },
      ...filler,
    )
    expect(found(engine, 'work spaces')).toEqual([1])
    expect(found(engine, 'cachedRead')).toEqual([2])
    expect(found(engine, 'organise')).toEqual([3])
    expect(found(engine, 'manyone onenote')[0]).toBe(4)
  })

  it('puts the note first whose path, file name or link was pasted', () => {
    const engine = engineOf(
      { id: 1, path: 'a/Process.md', title: 'Morning', chunks: ['process process process'] },
      { id: 2, path: 'b/Process.md', title: 'Evening', chunks: ['nothing'] },
      { id: 3, path: 'c/Other.md', title: 'About b process md', chunks: ['b process md b process md'] },
      ...filler,
    )
    expect(found(engine, 'b/Process.md')[0]).toBe(2)
    expect(found(engine, 'a/Process')[0]).toBe(1)
    expect(found(engine, 'Process.md').slice(0, 2).sort()).toEqual([1, 2])
    expect(found(engine, '[[b/Process|that one]]')[0]).toBe(2)
  })

  it('finds a pasted address, and no note by the parts of an address it links to', () => {
    const engine = engineOf(
      { id: 1, chunks: ['see [the docs](https://www.example.com/guide/setup?x=1#top) for more'] },
      { id: 2, chunks: ['see <https://example.com/guide/other>'] },
      { id: 3, chunks: ['a guide'] },
      ...filler,
    )
    expect(found(engine, 'guide')).toEqual([3])
    expect(found(engine, 'https://example.com/guide/setup?x=1#top')[0]).toBe(1)
    expect(found(engine, 'example.com/guide/other')[0]).toBe(2)
  })

  it('leaves out what HTML says to browsers', () => {
    const engine = engineOf({ id: 1, chunks: ['<span class="git-footer">read me</span>'] }, ...filler)
    expect(found(engine, 'footer')).toEqual([])
    expect(found(engine, 'read')).toEqual([1])
  })

  it('takes in a passage of nothing but signs in time that grows with its length alone', () => {
    const timeOf = (length: number) => {
      const signs = ['<a =', '<a ', 'https://', '='].map((sign) => sign.repeat(length / sign.length))
      const from = performance.now()
      engineOf(...signs.map((text, at) => ({ id: at + 1, chunks: [`<a ${text}`] })))
      return performance.now() - from
    }
    timeOf(1000)
    // Read again for every sign, this would take minutes.
    expect(timeOf(400_000)).toBeLessThan(5000)
  })

  it('takes no word for another one that is spelt with one other letter', () => {
    const engine = engineOf({ id: 1, chunks: ['paintings by Monet'] }, { id: 2, chunks: ['a refund'] }, ...filler)
    expect(rank(engine, 'money back', { limit: 5, mode: 'hybrid' })).not.toHaveProperty('corrected')
    expect(found(engine, 'money')).toEqual([])
  })

  it('scores a note by how much of the question it answers', () => {
    const engine = engineOf({ id: 1, title: 'Tomatoes', chunks: ['tomatoes need sun'] }, ...filler)
    const [whole] = hits(engine, 'tomatoes')
    const [half] = hits(engine, 'tomatoes zeppelins')
    const [less] = hits(engine, 'tomatoes zeppelins submarines balloons')
    expect(whole.score).toBe(1)
    expect(half.score).toBeGreaterThan(less.score)
    expect(less.score).toBeLessThan(0.5)
  })

  it('is answered whatever it is made of', () => {
    const engine = engineOf({ id: 1, path: 'x/y.md', title: '2026-01-01', chunks: ['a-b.c https://a.b/c'] }, ...filler)
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
