import { describe, expect, it } from 'vitest'
import type { Given } from './given.js'
import { link, nameOf, path, rows } from './rows.js'

export function describeNotes(given: Given): void {
  describe('notes', () => {
    it('are returned as stored, with any characters', async () => {
      const odd = rows(3, 'Ordner/Café 日本.md', {
        title: 'quote \' " \\ \u0000 \u001f end',
        aliases: ['first', 'zweite', ''],
        tags: ['Projects/Alpha', 'b'],
        properties: { n: 1.5, list: ['x', 2, null], nested: { deep: true }, __proto__x: '\u2028' },
        frontmatterError: 'line 2: bad indent',
        headings: [
          { level: 1, text: 'One "1"', line: 3 },
          { level: 6, text: '', line: 99 },
        ],
        blocks: [{ id: 'a1', line: 4 }],
        mtimeMs: 1_731_700_000_123.4568,
        ctimeMs: 1_731_700_000_123.9998,
        createdMs: -1.5,
        size: 5_000_000_000,
      })
      odd.chunks[0].content = '\ufeffa\u0000b\u001e\u001f"\\\r\n𝄞'
      await given.commit({ put: [odd] })
      expect(await given.store.note(odd.note.path)).toEqual(odd.note)
      const missing = path('missing.md')
      expect(await given.store.notesAt([odd.note.path, missing, odd.note.path])).toEqual([odd.note])
      expect(await given.store.notesAt([])).toEqual([])
      expect(await given.store.chunks([{ note: 3, ordinal: 0 }])).toEqual([odd.chunks[0]])
    })

    it('are found by id, and missing ids are left out', async () => {
      await given.commit({ put: [rows(1, 'a.md'), rows(5, 'b.md')] })
      const found = await given.store.notes([5, 2, 1, 5])
      expect(found.size).toBe(2)
      expect(found.get(5)?.path).toBe('b.md')
      expect(found.get(1)?.title).toBe('a')
      expect((await given.store.notes([])).size).toBe(0)
    })

    it('that do not exist are undefined', async () => {
      expect(await given.store.note(path('a.md'))).toBeUndefined()
      await given.commit({ put: [rows(1, 'a.md')] })
      expect(await given.store.note(path('A.md'))).toBeUndefined()
    })

    it('replace the note at the same path with all its rows', async () => {
      const first = rows(1, 'a.md', { tags: ['old'] }, [link('a.md', 'b.md'), link('a.md', null)])
      await given.commit({ put: [first] })
      await given.commit({ put: [rows(2, 'a.md', { tags: ['new'] }, [link('a.md', 'c.md')])] })
      expect((await given.store.note(path('a.md')))?.id).toBe(2)
      expect((await given.store.notes([1])).size).toBe(0)
      expect(await given.store.chunks([{ note: 1, ordinal: 0 }])).toEqual([undefined])
      expect(await given.store.linksTo(path('b.md'))).toEqual([])
      expect(await given.store.linksByKey(['b'])).toEqual([])
      expect(await given.store.unresolved()).toEqual([])
      expect((await given.store.linksFrom(path('a.md'))).map(({ target }) => target)).toEqual(['c.md'])
      expect(await given.store.tags()).toEqual([{ tag: 'new', notes: 1 }])
      expect(await given.store.counts()).toEqual({ notes: 1, chunks: 2, links: 1, unresolved: 0 })
      expect((await given.store.files()).map(({ id }) => id)).toEqual([2])
    })

    it('can be replaced under the same id', async () => {
      await given.commit({ put: [rows(1, 'a.md')] })
      await given.commit({ put: [rows(1, 'a.md', { title: 'again' })] })
      expect((await given.store.note(path('a.md')))?.title).toBe('again')
    })

    it('that are removed leave no rows', async () => {
      const linking = rows(1, 'a.md', { tags: ['t'] }, [link('a.md', 'b.md'), link('a.md', null)])
      await given.commit({ put: [linking, rows(2, 'b.md')], files: [nameOf('x.png')] })
      await given.commit({ remove: [path('a.md'), path('x.png'), path('never there.md')] })
      expect(await given.store.note(path('a.md'))).toBeUndefined()
      expect(await given.store.linksFrom(path('a.md'))).toEqual([])
      expect(await given.store.linksTo(path('b.md'))).toEqual([])
      expect(await given.store.chunks([{ note: 1, ordinal: 1 }])).toEqual([undefined])
      expect(await given.store.tags()).toEqual([])
      expect((await given.store.files()).map((file) => file.path)).toEqual(['b.md'])
      expect(await given.store.counts()).toEqual({ notes: 1, chunks: 2, links: 0, unresolved: 0 })
    })

    it('that are removed and put in one batch stay', async () => {
      await given.commit({ put: [rows(1, 'a.md')] })
      await given.commit({ remove: [path('a.md')], put: [rows(2, 'a.md')] })
      expect((await given.store.note(path('a.md')))?.id).toBe(2)
    })
  })

  it('returns chunks in the requested order', async () => {
    await given.commit({ put: [rows(1, 'a.md'), rows(2, 'b.md')] })
    const wanted = [
      { note: 2, ordinal: 1 },
      { note: 1, ordinal: 0 },
      { note: 9, ordinal: 0 },
      { note: 1, ordinal: 2 },
      { note: 2, ordinal: 1 },
    ]
    const found = await given.store.chunks(wanted)
    const b = found[0]?.content
    expect(found.map((chunk) => chunk?.content)).toEqual([b, 'a.md, passage 0', undefined, undefined, b])
    expect(b).toBe('b.md, passage 1')
    expect(await given.store.chunks([])).toEqual([])
  })

  it('stores embeddings without changing their chunks', async () => {
    await given.commit({ put: [rows(1, 'a.md')] })
    const vector = { note: 1, ordinal: 1, bytes: Uint8Array.of(1, 2, 3) }
    await given.commit({ embeddings: { model: 'm', dimension: 3, rows: [vector, { ...vector, note: 99 }] } })
    expect((await given.store.chunks([{ note: 1, ordinal: 1 }]))[0]?.content).toBe('a.md, passage 1')
    expect(await given.store.counts()).toMatchObject({ chunks: 2 })
  })
}
