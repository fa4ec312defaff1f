import { describe, expect, it } from 'vitest'
import type { Given } from './given.js'
import { link, path, rows } from './rows.js'

export function describeCommits(given: Given): void {
  describe('commits', () => {
    it('increase the generation by one', async () => {
      const before = await given.store.generation()
      expect(await given.store.commit({ expect: before })).toBe(before + 1)
      expect(await given.store.generation()).toBe(before + 1)
    })

    it('made on an older generation change nothing and return undefined', async () => {
      const before = await given.store.generation()
      await given.commit({ put: [rows(1, 'a.md')] })
      const late = { put: [rows(2, 'b.md')], remove: [path('a.md')], meta: { late: 'yes' } }
      expect(await given.store.commit({ ...late, expect: before })).toBeUndefined()
      expect(await given.store.generation()).toBe(before + 1)
      expect(await given.store.note(path('b.md'))).toBeUndefined()
      expect(await given.store.note(path('a.md'))).toBeDefined()
      expect(await given.store.meta('late')).toBeUndefined()
    })

    it('that fail change nothing', async () => {
      await given.commit({ put: [rows(1, 'a.md')] })
      const before = await given.store.generation()
      const twoNotesOneId = [rows(7, 'b.md'), rows(7, 'c.md')]
      await expect(given.store.commit({ expect: before, put: twoNotesOneId })).rejects.toThrow('one document id')
      await expect(given.store.commit({ expect: before, put: [rows(1, 'b.md')] })).rejects.toThrow('one document id')
      expect(await given.store.generation()).toBe(before)
      expect((await given.store.files()).map((file) => file.path)).toEqual(['a.md'])
      expect(await given.store.counts()).toEqual({ notes: 1, chunks: 2, links: 0, unresolved: 0 })
      await given.commit({ put: [rows(8, 'b.md')] })
      expect(await given.store.matching({})).toEqual(Int32Array.of(1, 8))
    })
  })

  it('keeps meta entries until they are written again', async () => {
    await given.commit({ meta: { state: '{"a":1}', other: 'ü' } })
    await given.commit({ meta: { state: '2' } })
    expect(await given.store.meta('state')).toBe('2')
    expect(await given.store.meta('other')).toBe('ü')
    expect(await given.store.meta('none')).toBeUndefined()
  })

  it('is empty and has another generation after clear', async () => {
    const blob = { name: 'a', kind: 'text' as const, bytes: Uint8Array.of(1) }
    await given.commit({
      put: [rows(1, 'a.md', { tags: ['t'] }, [link('a.md', null)])],
      blobs: { put: [blob] },
      meta: { k: 'v' },
    })
    const before = await given.store.generation()
    await given.store.clear()
    expect(await given.store.generation()).not.toBe(before)
    expect(await given.store.files()).toEqual([])
    expect(await given.store.blobNames()).toEqual([])
    expect(await given.store.meta('k')).toBeUndefined()
    expect(await given.store.tags()).toEqual([])
    expect(await given.store.counts()).toEqual({ notes: 0, chunks: 0, links: 0, unresolved: 0 })
    expect(await given.store.commit({ expect: before, put: [rows(1, 'a.md')] })).toBeUndefined()
    await given.commit({ put: [rows(1, 'a.md')] })
    expect(await given.store.note(path('a.md'))).toBeDefined()
  })
}
