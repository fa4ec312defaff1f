import { describe, expect, it } from 'vitest'
import type { StoredLink } from '../../../src/core/index/index-store.js'
import type { Given } from './given.js'
import { link, nameOf, path, rows } from './rows.js'

export function describeLinks(given: Given): void {
  describe('links', () => {
    it('from a note are returned unchanged in order of appearance', async () => {
      const links: StoredLink[] = [
        { ...link('a.md', 'z.md'), line: 9, subpath: '#H1#^b', raw: '![[z#H1\\|x]]', text: 'x', kind: 'embed' },
        { ...link('a.md', null), line: 2, kind: 'external', written: 'https://x.y/?a=1' },
        { ...link('a.md', 'a.md'), line: 2, written: '' },
      ]
      await given.commit({ put: [rows(1, 'a.md', {}, links)] })
      expect(await given.store.linksFrom(path('a.md'))).toEqual(links)
      expect(await given.store.linksFrom(path('b.md'))).toEqual([])
    })

    it('to a file are sorted by source path, then line', async () => {
      const from = (source: string, ...lines: number[]) => lines.map((line) => ({ ...link(source, 'hub.md'), line }))
      const put = [
        rows(3, 'a.md', {}, from('a.md', 5, 1)),
        rows(1, 'b.md', {}, from('b.md', 2)),
        rows(2, 'C.md', {}, from('C.md', 8)),
      ]
      await given.commit({ put })
      const found = await given.store.linksTo(path('hub.md'))
      expect(found.map(({ source, line }) => `${source} ${line}`)).toEqual(['C.md 8', 'a.md 1', 'a.md 5', 'b.md 2'])
      expect(await given.store.linksTo(path('HUB.md'))).toEqual([])
    })

    it('are found by any of several keys', async () => {
      await given.commit({
        put: [
          rows(
            1,
            'a.md',
            {},
            ['x', 'y', 'z'].map((key) => ({ ...link('a.md', null), key })),
          ),
        ],
      })
      expect((await given.store.linksByKey(['z', 'x', 'none', 'x'])).map(({ key }) => key)).toEqual(['x', 'z'])
      expect(await given.store.linksByKey([])).toEqual([])
    })

    it('can be given new targets', async () => {
      const twice = [link('a.md', null, 4), link('a.md', null, 4), link('a.md', null, 5)]
      await given.commit({ put: [rows(1, 'a.md', {}, twice)] })
      const { raw } = twice[0]
      const change = { source: path('a.md'), raw, line: 4, target: path('new.md') }
      await given.commit({ retarget: [change, { ...change, source: path('gone.md') }, { ...change, line: 40 }] })
      expect((await given.store.linksFrom(path('a.md'))).map(({ target }) => target)).toEqual([
        'new.md',
        'new.md',
        null,
      ])
      expect(await given.store.linksTo(path('new.md'))).toHaveLength(2)
      expect((await given.store.unresolved()).map(({ line }) => line)).toEqual([5])
      expect(await given.store.counts()).toMatchObject({ links: 3, unresolved: 1 })
      await given.commit({ retarget: [{ ...change, target: null }] })
      expect(await given.store.linksTo(path('new.md'))).toEqual([])
      expect(await given.store.counts()).toMatchObject({ links: 3, unresolved: 3 })
      await given.commit({ remove: [path('a.md')] })
      expect(await given.store.counts()).toMatchObject({ links: 0, unresolved: 0 })
    })

    it('without a target are unresolved, external ones are not', async () => {
      const links = [link('b.md', null, 3), { ...link('b.md', null), kind: 'external' as const }, link('b.md', 'a.md')]
      await given.commit({ put: [rows(1, 'b.md', {}, links), rows(2, 'a.md', {}, [link('a.md', null, 9)])] })
      expect((await given.store.unresolved()).map(({ source, line }) => `${source} ${line}`)).toEqual([
        'a.md 9',
        'b.md 3',
      ])
      expect(await given.store.counts()).toEqual({ notes: 2, chunks: 4, links: 4, unresolved: 2 })
    })

    it('from other notes make a note no orphan', async () => {
      const put = [
        rows(1, 'self.md', {}, [link('self.md', 'self.md')]),
        rows(2, 'alone.md'),
        rows(3, 'linked.md', {}, [link('linked.md', 'linked.md')]),
        rows(4, 'from.md', {}, [link('from.md', 'linked.md'), link('from.md', 'picture.png')]),
      ]
      await given.commit({ put, files: [nameOf('picture.png')] })
      expect(await given.store.orphans()).toEqual(['alone.md', 'from.md', 'self.md'])
    })
  })
}
