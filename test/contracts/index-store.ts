import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NotePath } from '../../src/core/vault/note-path.js'
import type {
  IndexBatch,
  IndexStore,
  KnownFile,
  StoredLink,
  StoredNote,
  StoredNoteRows,
} from '../../src/core/vault-index/index-store.js'

/** What every store of the index promises. A new one proves itself by one call of this. */
export function describeIndexStore(name: string, open: () => Promise<IndexStore>): void {
  describe(`${name} keeps the index store's promises`, () => {
    let store: IndexStore
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const commit = async (batch: Omit<IndexBatch, 'expect'>) => {
      const generation = await store.commit({ ...batch, expect: await store.generation() })
      expect(generation).toBeDefined()
      return generation
    }

    describe('commits', () => {
      it('grow the generation by one', async () => {
        const before = await store.generation()
        expect(await store.commit({ expect: before })).toBe(before + 1)
        expect(await store.generation()).toBe(before + 1)
      })

      it('made on an older generation change nothing and answer undefined', async () => {
        const before = await store.generation()
        await commit({ put: [rows(1, 'a.md')] })
        const late = { put: [rows(2, 'b.md')], remove: [path('a.md')], meta: { late: 'yes' } }
        expect(await store.commit({ ...late, expect: before })).toBeUndefined()
        expect(await store.generation()).toBe(before + 1)
        expect(await store.note(path('b.md'))).toBeUndefined()
        expect(await store.note(path('a.md'))).toBeDefined()
        expect(await store.meta('late')).toBeUndefined()
      })

      it('that fail leave everything as it was', async () => {
        await commit({ put: [rows(1, 'a.md')] })
        const before = await store.generation()
        const twoNotesOneId = [rows(7, 'b.md'), rows(7, 'c.md')]
        await expect(store.commit({ expect: before, put: twoNotesOneId })).rejects.toThrow('one document id')
        await expect(store.commit({ expect: before, put: [rows(1, 'b.md')] })).rejects.toThrow('one document id')
        expect(await store.generation()).toBe(before)
        expect((await store.files()).map((file) => file.path)).toEqual(['a.md'])
        expect(await store.counts()).toEqual({ notes: 1, chunks: 2, links: 0, unresolved: 0 })
        await commit({ put: [rows(8, 'b.md')] })
        expect(await store.matching({})).toEqual(Int32Array.of(1, 8))
      })
    })

    describe('notes', () => {
      it('come back as they were put, whatever characters they hold', async () => {
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
        await commit({ put: [odd] })
        expect(await store.note(odd.note.path)).toEqual(odd.note)
        const missing = path('missing.md')
        expect(await store.notesAt([odd.note.path, missing, odd.note.path])).toEqual([odd.note])
        expect(await store.notesAt([])).toEqual([])
        expect(await store.chunks([{ note: 3, ordinal: 0 }])).toEqual([odd.chunks[0]])
      })

      it('are found by id, and ids that are not there are left out', async () => {
        await commit({ put: [rows(1, 'a.md'), rows(5, 'b.md')] })
        const found = await store.notes([5, 2, 1, 5])
        expect(found.size).toBe(2)
        expect(found.get(5)?.path).toBe('b.md')
        expect(found.get(1)?.title).toBe('a')
        expect((await store.notes([])).size).toBe(0)
      })

      it('that are not there are undefined', async () => {
        expect(await store.note(path('a.md'))).toBeUndefined()
        await commit({ put: [rows(1, 'a.md')] })
        expect(await store.note(path('A.md'))).toBeUndefined()
      })

      it('replace the note at the same path with all its rows', async () => {
        const first = rows(1, 'a.md', { tags: ['old'] }, [link('a.md', 'b.md'), link('a.md', null)])
        await commit({ put: [first] })
        await commit({ put: [rows(2, 'a.md', { tags: ['new'] }, [link('a.md', 'c.md')])] })
        expect((await store.note(path('a.md')))?.id).toBe(2)
        expect((await store.notes([1])).size).toBe(0)
        expect(await store.chunks([{ note: 1, ordinal: 0 }])).toEqual([undefined])
        expect(await store.linksTo(path('b.md'))).toEqual([])
        expect(await store.linksByKey(['b'])).toEqual([])
        expect(await store.unresolved()).toEqual([])
        expect((await store.linksFrom(path('a.md'))).map(({ target }) => target)).toEqual(['c.md'])
        expect(await store.tags()).toEqual([{ tag: 'new', notes: 1 }])
        expect(await store.counts()).toEqual({ notes: 1, chunks: 2, links: 1, unresolved: 0 })
        expect((await store.files()).map(({ id }) => id)).toEqual([2])
      })

      it('may be replaced under the same id', async () => {
        await commit({ put: [rows(1, 'a.md')] })
        await commit({ put: [rows(1, 'a.md', { title: 'again' })] })
        expect((await store.note(path('a.md')))?.title).toBe('again')
      })

      it('that are removed leave nothing behind', async () => {
        const linking = rows(1, 'a.md', { tags: ['t'] }, [link('a.md', 'b.md'), link('a.md', null)])
        await commit({ put: [linking, rows(2, 'b.md')], files: [nameOf('x.png')] })
        await commit({ remove: [path('a.md'), path('x.png'), path('never there.md')] })
        expect(await store.note(path('a.md'))).toBeUndefined()
        expect(await store.linksFrom(path('a.md'))).toEqual([])
        expect(await store.linksTo(path('b.md'))).toEqual([])
        expect(await store.chunks([{ note: 1, ordinal: 1 }])).toEqual([undefined])
        expect(await store.tags()).toEqual([])
        expect((await store.files()).map((file) => file.path)).toEqual(['b.md'])
        expect(await store.counts()).toEqual({ notes: 1, chunks: 2, links: 0, unresolved: 0 })
      })

      it('that are removed and put in one batch stay', async () => {
        await commit({ put: [rows(1, 'a.md')] })
        await commit({ remove: [path('a.md')], put: [rows(2, 'a.md')] })
        expect((await store.note(path('a.md')))?.id).toBe(2)
      })
    })

    describe('files', () => {
      it('are listed by path, notes with the stamp they were put with', async () => {
        const note = rows(1, 'b.md', { size: 7, mtimeMs: 10.25, ctimeMs: 11.5, hash: 'ff' })
        const skipped: KnownFile = { ...nameOf('c.md'), state: 'skipped', reason: 'too large\n"really"' }
        await commit({ put: [note], files: [nameOf('a/z.png'), skipped, nameOf('B.canvas')] })
        const noteFile = { id: 1, path: 'b.md', size: 7, mtimeMs: 10.25, ctimeMs: 11.5, hash: 'ff', state: 'indexed' }
        expect(await store.files()).toEqual([nameOf('B.canvas'), nameOf('a/z.png'), noteFile, skipped])
        expect(await store.files('skipped')).toEqual([skipped])
        expect(await store.files('name')).toEqual([nameOf('B.canvas'), nameOf('a/z.png')])
        expect(await store.files('hidden')).toEqual([])
      })

      it('replace the stamp at the same path', async () => {
        await commit({ files: [nameOf('a.png')] })
        await commit({ files: [{ ...nameOf('a.png'), size: 99 }] })
        expect(await store.files()).toEqual([{ ...nameOf('a.png'), size: 99 }])
      })

      it('give a stored note a new stamp without touching its rows', async () => {
        const note = rows(1, 'a.md', { mtimeMs: 1000 }, [link('a.md', 'b.md')])
        await commit({ put: [note] })
        const stamp = { id: 1, path: path('a.md'), size: 8, mtimeMs: 5000.5, ctimeMs: 6000, hash: note.note.hash }
        await commit({ files: [{ ...stamp, state: 'indexed' }] })
        expect(await store.note(path('a.md'))).toEqual({ ...note.note, size: 8, mtimeMs: 5000.5, ctimeMs: 6000 })
        expect(await store.chunks([{ note: 1, ordinal: 1 }])).toEqual([note.chunks[1]])
        expect(await store.linksTo(path('b.md'))).toHaveLength(1)
        expect(await store.matching({ afterMs: 5000 })).toEqual(Int32Array.of(1))
        expect(await store.files()).toEqual([{ ...stamp, state: 'indexed' }])
      })

      it('refuse a stamp for a note that is not there', async () => {
        const expected = await store.generation()
        const stamp: KnownFile = { ...nameOf('a.md'), id: 4, state: 'indexed' }
        await expect(store.commit({ expect: expected, files: [stamp] })).rejects.toThrow('holds no note')
        expect(await store.files()).toEqual([])
      })

      it('hide a note that has become private', async () => {
        await commit({ put: [rows(1, 'a.md', { tags: ['secret'] }, [link('a.md', 'b.md')])] })
        await commit({ files: [{ ...nameOf('a.md'), state: 'hidden' }] })
        expect(await store.note(path('a.md'))).toBeUndefined()
        expect(await store.matching({})).toHaveLength(0)
        expect(await store.tags()).toEqual([])
        expect(await store.linksTo(path('b.md'))).toEqual([])
        expect(await store.orphans()).toEqual([])
        expect((await store.files()).map(({ state }) => state)).toEqual(['hidden'])
      })
    })

    it('answers chunks in the order asked', async () => {
      await commit({ put: [rows(1, 'a.md'), rows(2, 'b.md')] })
      const wanted = [
        { note: 2, ordinal: 1 },
        { note: 1, ordinal: 0 },
        { note: 9, ordinal: 0 },
        { note: 1, ordinal: 2 },
        { note: 2, ordinal: 1 },
      ]
      const found = await store.chunks(wanted)
      const b = found[0]?.content
      expect(found.map((chunk) => chunk?.content)).toEqual([b, 'a.md, passage 0', undefined, undefined, b])
      expect(b).toBe('b.md, passage 1')
      expect(await store.chunks([])).toEqual([])
    })

    describe('links', () => {
      it('from a note come in order of appearance, unharmed', async () => {
        const links: StoredLink[] = [
          { ...link('a.md', 'z.md'), line: 9, subpath: '#H1#^b', raw: '![[z#H1\\|x]]', text: 'x', kind: 'embed' },
          { ...link('a.md', null), line: 2, kind: 'external', written: 'https://x.y/?a=1' },
          { ...link('a.md', 'a.md'), line: 2, written: '' },
        ]
        await commit({ put: [rows(1, 'a.md', {}, links)] })
        expect(await store.linksFrom(path('a.md'))).toEqual(links)
        expect(await store.linksFrom(path('b.md'))).toEqual([])
      })

      it('to a file come by source path, then line', async () => {
        const from = (source: string, ...lines: number[]) => lines.map((line) => ({ ...link(source, 'hub.md'), line }))
        const put = [
          rows(3, 'a.md', {}, from('a.md', 5, 1)),
          rows(1, 'b.md', {}, from('b.md', 2)),
          rows(2, 'C.md', {}, from('C.md', 8)),
        ]
        await commit({ put })
        const found = await store.linksTo(path('hub.md'))
        expect(found.map(({ source, line }) => `${source} ${line}`)).toEqual(['C.md 8', 'a.md 1', 'a.md 5', 'b.md 2'])
        expect(await store.linksTo(path('HUB.md'))).toEqual([])
      })

      it('are found by any of several keys', async () => {
        await commit({
          put: [
            rows(
              1,
              'a.md',
              {},
              ['x', 'y', 'z'].map((key) => ({ ...link('a.md', null), key })),
            ),
          ],
        })
        expect((await store.linksByKey(['z', 'x', 'none', 'x'])).map(({ key }) => key)).toEqual(['x', 'z'])
        expect(await store.linksByKey([])).toEqual([])
      })

      it('can be given new targets', async () => {
        const twice = [link('a.md', null, 4), link('a.md', null, 4), link('a.md', null, 5)]
        await commit({ put: [rows(1, 'a.md', {}, twice)] })
        const { raw } = twice[0]
        const change = { source: path('a.md'), raw, line: 4, target: path('new.md') }
        await commit({ retarget: [change, { ...change, source: path('gone.md') }, { ...change, line: 40 }] })
        expect((await store.linksFrom(path('a.md'))).map(({ target }) => target)).toEqual(['new.md', 'new.md', null])
        expect(await store.linksTo(path('new.md'))).toHaveLength(2)
        expect((await store.unresolved()).map(({ line }) => line)).toEqual([5])
        expect(await store.counts()).toMatchObject({ links: 3, unresolved: 1 })
        await commit({ retarget: [{ ...change, target: null }] })
        expect(await store.linksTo(path('new.md'))).toEqual([])
        expect(await store.counts()).toMatchObject({ links: 3, unresolved: 3 })
        await commit({ remove: [path('a.md')] })
        expect(await store.counts()).toMatchObject({ links: 0, unresolved: 0 })
      })

      it('that lead nowhere are unresolved, external ones are not', async () => {
        const links = [
          link('b.md', null, 3),
          { ...link('b.md', null), kind: 'external' as const },
          link('b.md', 'a.md'),
        ]
        await commit({ put: [rows(1, 'b.md', {}, links), rows(2, 'a.md', {}, [link('a.md', null, 9)])] })
        expect((await store.unresolved()).map(({ source, line }) => `${source} ${line}`)).toEqual(['a.md 9', 'b.md 3'])
        expect(await store.counts()).toEqual({ notes: 2, chunks: 4, links: 4, unresolved: 2 })
      })

      it('make a note no orphan, unless it is its own', async () => {
        const put = [
          rows(1, 'self.md', {}, [link('self.md', 'self.md')]),
          rows(2, 'alone.md'),
          rows(3, 'linked.md', {}, [link('linked.md', 'linked.md')]),
          rows(4, 'from.md', {}, [link('from.md', 'linked.md'), link('from.md', 'picture.png')]),
        ]
        await commit({ put, files: [nameOf('picture.png')] })
        expect(await store.orphans()).toEqual(['alone.md', 'from.md', 'self.md'])
      })
    })

    describe('filters', () => {
      const put = [
        rows(9, 'Projects/one.md', { tags: ['Project/Beta', 'urgent'], mtimeMs: 100, createdMs: 900 }),
        rows(2, 'Projects/sub/two.md', { tags: ['project'], mtimeMs: 200, createdMs: 200 }),
        rows(30, 'Projects.md', { tags: ['projects', 'URGENT'], mtimeMs: 300, createdMs: 50 }),
        rows(4, 'x.md', {
          properties: { Status: 'Done', n: 7, flag: true, authors: ['Ada', 'Grace'], none: null, deep: { a: 1 } },
        }),
      ]
      const ids = async (filter: Parameters<IndexStore['matching']>[0]) => [...(await store.matching(filter))]
      beforeEach(() => commit({ put }))

      it('let everything pass when empty, ids ascending', async () => {
        expect(await ids({})).toEqual([2, 4, 9, 30])
      })

      it('match tags with their descendants, whatever the case, and need all of them', async () => {
        expect(await ids({ tags: ['project'] })).toEqual([2, 9])
        expect(await ids({ tags: ['PROJECT/beta'] })).toEqual([9])
        expect(await ids({ tags: ['project', 'Urgent'] })).toEqual([9])
        expect(await ids({ tags: ['proj'] })).toEqual([])
      })

      it('match a folder with everything below it', async () => {
        expect(await ids({ folder: 'Projects' })).toEqual([2, 9])
        expect(await ids({ folder: 'Projects/sub' })).toEqual([2])
        expect(await ids({ folder: 'projects' })).toEqual([2, 9])
        expect(await ids({ folder: '' })).toEqual([2, 4, 9, 30])
      })

      it('match properties as text, lists by any member', async () => {
        expect(await ids({ properties: { status: 'done' } })).toEqual([4])
        expect(await ids({ properties: { n: '7', flag: 'true', authors: 'grace' } })).toEqual([4])
        expect(await ids({ properties: { authors: 'ada, grace' } })).toEqual([])
        expect(await ids({ properties: { constructor: 'x' } })).toEqual([])
        expect(await ids({ properties: { deep: '[object Object]' } })).toEqual([])
      })

      it('match dates from, and up to but not including', async () => {
        expect(await ids({ afterMs: 100, beforeMs: 300 })).toEqual([2, 9])
        expect(await ids({ afterMs: 100, beforeMs: 300, dateField: 'created' })).toEqual([2])
        expect(await ids({ afterMs: 850, beforeMs: 901, dateField: 'any' })).toEqual([9])
        expect(await ids({ beforeMs: 101, dateField: 'any' })).toEqual([9, 30])
      })

      it('combine', async () => {
        expect(await ids({ tags: ['project'], folder: 'Projects/sub', afterMs: 150 })).toEqual([2])
        expect(await ids({ tags: ['project'], folder: 'Projects/sub', afterMs: 250 })).toEqual([])
      })

      it('tags are counted by note in their most used spelling', async () => {
        await commit({ put: [rows(5, 'y.md', { tags: ['urgent', 'Urgent'] })] })
        expect(await store.tags()).toEqual([
          { tag: 'urgent', notes: 3 },
          { tag: 'Project/Beta', notes: 1 },
          { tag: 'project', notes: 1 },
          { tag: 'projects', notes: 1 },
        ])
      })
    })

    describe('blobs', () => {
      it('come back byte for byte, also large and empty ones', async () => {
        const large = Uint8Array.from({ length: 3_400_001 }, (_, at) => (at * 31 + (at >> 9)) & 255)
        const part = large.subarray(1, 6)
        await commit({
          blobs: {
            put: [
              { name: 'text-2', kind: 'text', bytes: large },
              { name: 'model-1', kind: 'model', bytes: new Uint8Array(0) },
              { name: 'part', kind: 'vectors', bytes: part },
            ],
          },
        })
        expect(await store.blobNames()).toEqual([
          { name: 'model-1', kind: 'model', size: 0 },
          { name: 'part', kind: 'vectors', size: 5 },
          { name: 'text-2', kind: 'text', size: 3_400_001 },
        ])
        expect(Buffer.compare((await store.blob('text-2')) ?? new Uint8Array(), large)).toBe(0)
        expect(await store.blob('model-1')).toHaveLength(0)
        expect([...((await store.blob('part')) ?? [])]).toEqual([...part])
        expect(await store.blob('missing')).toBeUndefined()
      })

      it('are replaced and removed by name', async () => {
        const blob = (name: string, ...bytes: number[]) => ({
          name,
          kind: 'text' as const,
          bytes: Uint8Array.from(bytes),
        })
        await commit({ blobs: { put: [blob('a', 1), blob('b', 2)] } })
        await commit({ blobs: { put: [blob('a', 3, 4)], remove: ['b', 'never'] } })
        expect((await store.blobNames()).map(({ name }) => name)).toEqual(['a'])
        expect([...((await store.blob('a')) ?? [])]).toEqual([3, 4])
        expect(await store.blob('b')).toBeUndefined()
      })
    })

    it('keeps meta entries until they are written again', async () => {
      await commit({ meta: { state: '{"a":1}', other: 'ü' } })
      await commit({ meta: { state: '2' } })
      expect(await store.meta('state')).toBe('2')
      expect(await store.meta('other')).toBe('ü')
      expect(await store.meta('none')).toBeUndefined()
    })

    it('takes embeddings without disturbing what they belong to', async () => {
      await commit({ put: [rows(1, 'a.md')] })
      const vector = { note: 1, ordinal: 1, bytes: Uint8Array.of(1, 2, 3) }
      await commit({ embeddings: { model: 'm', dimension: 3, rows: [vector, { ...vector, note: 99 }] } })
      expect((await store.chunks([{ note: 1, ordinal: 1 }]))[0]?.content).toBe('a.md, passage 1')
      expect(await store.counts()).toMatchObject({ chunks: 2 })
    })

    it('is empty and has another generation after clear', async () => {
      const blob = { name: 'a', kind: 'text' as const, bytes: Uint8Array.of(1) }
      await commit({
        put: [rows(1, 'a.md', { tags: ['t'] }, [link('a.md', null)])],
        blobs: { put: [blob] },
        meta: { k: 'v' },
      })
      const before = await store.generation()
      await store.clear()
      expect(await store.generation()).not.toBe(before)
      expect(await store.files()).toEqual([])
      expect(await store.blobNames()).toEqual([])
      expect(await store.meta('k')).toBeUndefined()
      expect(await store.tags()).toEqual([])
      expect(await store.counts()).toEqual({ notes: 0, chunks: 0, links: 0, unresolved: 0 })
      expect(await store.commit({ expect: before, put: [rows(1, 'a.md')] })).toBeUndefined()
      await commit({ put: [rows(1, 'a.md')] })
      expect(await store.note(path('a.md'))).toBeDefined()
    })
  })
}

const path = (text: string): NotePath => text as NotePath

/** A note with two passages. */
export function rows(
  id: number,
  at: string,
  about: Partial<StoredNote> = {},
  links: StoredLink[] = [],
): StoredNoteRows {
  const note: StoredNote = {
    id,
    path: path(at),
    title: at.replace(/\.md$/, ''),
    aliases: [],
    tags: [],
    properties: null,
    headings: [],
    blocks: [],
    size: 10,
    mtimeMs: 1000,
    ctimeMs: 1000,
    createdMs: 1000,
    hash: id.toString(16).padStart(64, '0'),
    ...about,
  }
  const chunk = (ordinal: number) => ({
    ordinal,
    heading: ordinal === 0 ? '' : 'Part',
    lines: [ordinal * 10 + 1, ordinal * 10 + 10] as [number, number],
    start: ordinal * 100,
    end: ordinal * 100 + 99,
    content: `${at}, passage ${ordinal}`,
  })
  return { note, chunks: [chunk(0), chunk(1)], links }
}

export function link(source: string, target: string | null, line = 1): StoredLink {
  const written = target?.replace(/\.md$/, '') ?? 'nowhere'
  return {
    source: path(source),
    target: target === null ? null : path(target),
    key: written.toLowerCase(),
    raw: `[[${written}]]`,
    text: written,
    kind: 'wikilink',
    line,
    written,
  }
}

const nameOf = (at: string): KnownFile => ({
  id: 0,
  path: path(at),
  size: 1,
  mtimeMs: 2,
  ctimeMs: 3,
  hash: '',
  state: 'name',
})
