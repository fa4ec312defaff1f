import { describe, expect, it } from 'vitest'
import type { IndexedFile } from '../../../src/core/index/index-store.js'
import type { Given } from './given.js'
import { link, nameOf, path, rows } from './rows.js'

export function describeFiles(given: Given): void {
  describe('files', () => {
    it('are listed by path, notes with their stored stamp', async () => {
      const note = rows(1, 'b.md', { size: 7, mtimeMs: 10.25, ctimeMs: 11.5, hash: 'ff' })
      const skipped: IndexedFile = { ...nameOf('c.md'), state: 'skipped', reason: 'too large\n"really"' }
      await given.commit({ put: [note], files: [nameOf('a/z.png'), skipped, nameOf('B.canvas')] })
      const noteFile = { id: 1, path: 'b.md', size: 7, mtimeMs: 10.25, ctimeMs: 11.5, hash: 'ff', state: 'indexed' }
      expect(await given.store.files()).toEqual([nameOf('B.canvas'), nameOf('a/z.png'), noteFile, skipped])
      expect(await given.store.files('skipped')).toEqual([skipped])
      expect(await given.store.files('name')).toEqual([nameOf('B.canvas'), nameOf('a/z.png')])
      expect(await given.store.files('hidden')).toEqual([])
    })

    it('replace the stamp at the same path', async () => {
      await given.commit({ files: [nameOf('a.png')] })
      await given.commit({ files: [{ ...nameOf('a.png'), size: 99 }] })
      expect(await given.store.files()).toEqual([{ ...nameOf('a.png'), size: 99 }])
    })

    it('give a stored note a new stamp without touching its rows', async () => {
      const note = rows(1, 'a.md', { mtimeMs: 1000 }, [link('a.md', 'b.md')])
      await given.commit({ put: [note] })
      const stamp = { id: 1, path: path('a.md'), size: 8, mtimeMs: 5000.5, ctimeMs: 6000, hash: note.note.hash }
      await given.commit({ files: [{ ...stamp, state: 'indexed' }] })
      expect(await given.store.note(path('a.md'))).toEqual({ ...note.note, size: 8, mtimeMs: 5000.5, ctimeMs: 6000 })
      expect(await given.store.chunks([{ note: 1, ordinal: 1 }])).toEqual([note.chunks[1]])
      expect(await given.store.linksTo(path('b.md'))).toHaveLength(1)
      expect(await given.store.matching({ afterMs: 5000 })).toEqual(Int32Array.of(1))
      expect(await given.store.files()).toEqual([{ ...stamp, state: 'indexed' }])
    })

    it('reject a stamp for a note that does not exist', async () => {
      const expected = await given.store.generation()
      const stamp: IndexedFile = { ...nameOf('a.md'), id: 4, state: 'indexed' }
      await expect(given.store.commit({ expect: expected, files: [stamp] })).rejects.toThrow('holds no note')
      expect(await given.store.files()).toEqual([])
    })

    it('hide a note that has become private', async () => {
      await given.commit({ put: [rows(1, 'a.md', { tags: ['secret'] }, [link('a.md', 'b.md')])] })
      await given.commit({ files: [{ ...nameOf('a.md'), state: 'hidden' }] })
      expect(await given.store.note(path('a.md'))).toBeUndefined()
      expect(await given.store.matching({})).toHaveLength(0)
      expect(await given.store.tags()).toEqual([])
      expect(await given.store.linksTo(path('b.md'))).toEqual([])
      expect(await given.store.orphans()).toEqual([])
      expect((await given.store.files()).map(({ state }) => state)).toEqual(['hidden'])
    })
  })
}
