import { describe, expect, it } from 'vitest'
import { indexedDbStore } from '../../../src/hosts/obsidian/index-store.js'
import { link, nameOf, path, rows } from '../../contracts/index-store/rows.js'

let opened = 0

/** As the page and its worker have it. */
async function twice() {
  const name = `two-${opened++}`
  const [one, other] = [await indexedDbStore(name), await indexedDbStore(name)]
  const close = () => Promise.all([one.close(), other.close()])
  const commit = async (batch: object) => one.commit({ ...batch, expect: await one.generation() })
  return { one, other, commit, close }
}

const many = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) =>
    rows(from + at, `${from + at}.md`, { size: 3000 }, [link(`${from + at}.md`, '1.md')]),
  )

export function describeTwoConnections(): void {
  describe('the index in IndexedDB, opened twice', () => {
    it('shows one connection the notes that the other has added, changed, moved and removed', async () => {
      const { one, other, commit, close } = await twice()
      await commit({ put: many(1, 100), files: [nameOf('a.png')] })
      expect(await other.counts()).toEqual({ notes: 99, chunks: 198, links: 99, unresolved: 0 })
      await commit({ put: many(100, 120), remove: [path('7.md')], files: [{ ...nameOf('8.md'), state: 'hidden' }] })
      await commit({ put: [rows(500, '7.md', { title: 'again' }), rows(501, '9.md', { title: 'changed' })] })
      await commit({ retarget: [{ source: path('50.md'), raw: '[[1]]', line: 1, target: null }] })
      for (const store of [one, other]) {
        expect(await store.counts()).toEqual({ notes: 118, chunks: 236, links: 116, unresolved: 1 })
        expect((await store.note(path('7.md')))?.title).toBe('again')
        expect((await store.notes([7, 9, 501])).size).toBe(1)
        expect(await store.note(path('8.md'))).toBeUndefined()
        expect(await store.chunks([7, 8, 9, 10, 501].map((note) => ({ note, ordinal: 1 })))).toMatchObject([
          undefined,
          undefined,
          undefined,
          { content: '10.md, passage 1' },
          { content: '9.md, passage 1' },
        ])
      }
      expect(await other.files()).toEqual(await one.files())
      await close()
    })

    it('accepts one of two concurrent commits, and the other is repeated', async () => {
      const { one, other, close } = await twice()
      const expected = await one.generation()
      const both = await Promise.all([
        one.commit({ expect: expected, put: [rows(1, 'a.md')] }),
        other.commit({ expect: expected, put: [rows(1, 'b.md')] }),
      ])
      expect(both.filter((generation) => generation === undefined)).toHaveLength(1)
      expect(await one.counts()).toMatchObject({ notes: 1 })
      expect(await other.files()).toEqual(await one.files())
      await close()
    })

    it('is empty for both after one has cleared it', async () => {
      const { one, other, commit, close } = await twice()
      await commit({ put: many(1, 60) })
      expect(await other.counts()).toMatchObject({ notes: 59 })
      await one.clear()
      expect(await other.files()).toEqual([])
      await commit({ put: [rows(3, 'new.md')] })
      expect((await other.files()).map((file) => file.path)).toEqual(['new.md'])
      expect((await other.notes([3])).get(3)?.path).toBe('new.md')
      await close()
    })
  })
}
