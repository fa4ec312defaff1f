import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { link, rows } from '../../../../test/contracts/index-store/index.js'
import type { NotePath } from '../../../core/vault/index.js'
import { openDriver } from '../sqlite.js'
import { sqliteStore } from './sqlite-store.js'

const folder = mkdtempSync(join(tmpdir(), 'notewright-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = () => join(folder, `${files++}`, 'index.db')

describe('the SQLite store', () => {
  it('is still there when it is opened again', async () => {
    const file = newFile()
    const first = await sqliteStore({ file })
    const generation = await first.commit({
      expect: await first.generation(),
      put: [rows(1, 'a.md')],
      meta: { k: 'v' },
    })
    await first.close()
    const second = await sqliteStore({ file })
    expect(second.rebuiltBecause).toBeUndefined()
    expect(await second.generation()).toBe(generation)
    expect(await second.note('a.md' as NotePath)).toEqual(rows(1, 'a.md').note)
    expect(await second.meta('k')).toBe('v')
    await second.close()
  })

  it.skipIf(process.platform === 'win32')('can be read by its owner alone', async () => {
    const file = newFile()
    const store = await sqliteStore({ file })
    await store.commit({ expect: await store.generation(), put: [rows(1, 'a.md')] })
    for (const part of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(part).mode & 0o777, part).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    await store.close()
  })

  it('shows each of two openers what the other has committed, and lets only one win', async () => {
    const file = newFile()
    const [one, other] = [await sqliteStore({ file }), await sqliteStore({ file })]
    const start = await one.generation()
    expect(await other.counts()).toMatchObject({ notes: 0 })
    expect(await one.commit({ expect: start, put: [rows(1, 'a.md', { tags: ['x'] }, [link('a.md', 'b.md')])] })).toBe(
      start + 1,
    )
    expect(await other.commit({ expect: start, put: [rows(2, 'b.md')] })).toBeUndefined()
    expect(await other.generation()).toBe(start + 1)
    expect(await other.commit({ expect: start + 1, put: [rows(2, 'b.md')] })).toBe(start + 2)
    for (const store of [one, other]) {
      expect([...(await store.matching({}))]).toEqual([1, 2])
      expect(await store.linksTo('b.md' as NotePath)).toHaveLength(1)
      expect(await store.tags()).toEqual([{ tag: 'x', notes: 1 }])
    }
    await one.close()
    await other.close()
  })

  it('never answers from what it remembers once another opener, or itself, has committed', async () => {
    const file = newFile()
    const openers = [await sqliteStore({ file }), await sqliteStore({ file })]
    for (let count = 1; count <= 6; count++) {
      const writer = openers[count % 2]
      const path = `${count}.md` as NotePath
      const previous = `${count - 1}.md` as NotePath
      const remove = count > 1 ? [previous] : []
      await writer.commit({ expect: await writer.generation(), put: [rows(count, path)], remove })
      for (const store of openers) {
        expect(await store.note(path)).toEqual(rows(count, path).note)
        expect(await store.note(previous)).toBeUndefined()
        expect((await store.chunks([{ note: count, ordinal: 0 }]))[0]).toEqual(rows(count, path).chunks[0])
        expect((await store.files()).map((known) => known.path)).toEqual([path])
        expect([...(await store.matching({}))]).toEqual([count])
      }
    }
    for (const store of openers) await store.close()
  })

  it('follows the file when another opener has begun a new one', async () => {
    const file = newFile()
    const [one, other] = [await sqliteStore({ file }), await sqliteStore({ file })]
    const before = (await one.commit({ expect: await one.generation(), put: [rows(1, 'a.md')] })) ?? 0
    await other.clear()
    expect(await one.generation()).not.toBe(before)
    expect(await one.files()).toEqual([])
    expect(await one.commit({ expect: before, put: [rows(2, 'b.md')] })).toBeUndefined()
    expect(await one.commit({ expect: await one.generation(), put: [rows(3, 'c.md')] })).toBeDefined()
    expect((await other.files()).map(({ path }) => path)).toEqual(['c.md'])
    await one.close()
    await other.close()
  })

  it('indexes links once the first load is over, and gives the same answers before and after', async () => {
    const file = newFile()
    const store = await sqliteStore({ file })
    const notes = (count: number, firstId: number) =>
      Array.from({ length: count }, (_, at) => {
        const path = `n${at}.md`
        return rows(firstId + at, path, {}, [link(path, `n${at % 3}.md`)])
      })
    const linked = async () => (await store.linksTo('n2.md' as NotePath)).length
    const sums = () => {
      const driver = openDriver(file)
      const found = driver.all('SELECT count(*) AS n FROM link_sums')[0][0]
      driver.close()
      return found
    }
    const steps = [
      { batch: { rowsFollow: true, put: notes(300, 1) }, isIndexed: false },
      { batch: { rowsFollow: true, put: notes(1, 301) }, isIndexed: false },
      { batch: { meta: { done: 'yes' } }, isIndexed: true },
      { batch: { put: notes(1, 302) }, isIndexed: true },
      { batch: { rowsFollow: true, put: notes(30, 401) }, isIndexed: true },
      { batch: { put: notes(1, 601) }, isIndexed: true },
    ]
    for (const { batch, isIndexed } of steps) {
      await store.commit({ expect: await store.generation(), ...batch })
      expect(sums() !== 0).toBe(isIndexed)
      expect(await linked()).toBe(100)
    }
    await store.close()
  })

  it('can be read with plain SQL, by the names people know', async () => {
    const file = newFile()
    const store = await sqliteStore({ file })
    const about = {
      title: 'Title',
      aliases: ['nick'],
      tags: ['Work/x'],
      properties: { tags: ['Work/x'], status: 'open' },
      headings: [{ level: 2, text: 'Head', line: 3 }],
      blocks: [{ id: 'b1', line: 4 }],
      mtimeMs: 1_700_000_000_500,
      createdMs: 1_600_000_000_000,
    }
    const put = [rows(1, 'a.md', about, [link('a.md', 'b.md', 7)]), rows(2, 'b.md')]
    const bytes = Uint8Array.of(1, 2, 3, 4)
    const blobs = { put: [{ name: 'text-1', kind: 'text' as const, bytes }] }
    const generation = await store.commit({ expect: await store.generation(), put, blobs })
    const vector = { model: 'lsa', dimension: 4, rows: [{ note: 1, ordinal: 1, bytes }] }
    await store.commit({ expect: generation ?? 0, embeddings: vector })
    await store.close()
    const driver = openDriver(file)
    const ask = (sql: string) => driver.all(sql).map((row) => row.join(' | '))

    expect(ask('SELECT id, path, title, modified_at, created_at FROM documents WHERE id = 1')).toEqual([
      '1 | a.md | Title | 1700000000.5 | 1600000000',
    ])
    expect(ask("SELECT json_extract(frontmatter, '$.status') AS s FROM documents ORDER BY id")).toEqual(['open', ''])
    const chunks = `SELECT c.content, d.title, c.embedding_model, length(c.embedding) AS n
      FROM chunks c JOIN documents d ON c.document_id = d.id WHERE c.embedding IS NOT NULL`
    expect(ask(chunks)).toEqual(['a.md, passage 1 | Title | lsa 4 | 4'])
    const backlinks = `SELECT l.source_path, l.link_text, l.link_type, l.line, d.title AS source_title
      FROM links l JOIN documents d ON l.source_path = d.path WHERE l.target_path = 'b.md'`
    expect(ask(backlinks)).toEqual(['a.md | b | wikilink | 7 | Title'])
    expect(ask('SELECT path, state, size FROM files ORDER BY path')).toEqual([
      'a.md | indexed | 10',
      'b.md | indexed | 10',
    ])
    expect(ask('SELECT path, tag, folded FROM tags')).toEqual(['a.md | Work/x | work/x'])
    expect(ask('SELECT document_id, alias FROM aliases')).toEqual(['1 | nick'])
    expect(ask('SELECT level, text, line FROM headings')).toEqual(['2 | Head | 3'])
    expect(ask('SELECT block, line FROM blocks')).toEqual(['b1 | 4'])
    expect(ask("SELECT name, value FROM properties WHERE name = 'status'")).toEqual(['status | open'])
    expect(ask('SELECT name, kind, size FROM segments')).toEqual(['text-1 | text | 4'])
    expect(ask('PRAGMA integrity_check')).toEqual(['ok'])
    driver.close()
  })
})
