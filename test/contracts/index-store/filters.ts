import { beforeEach, describe, expect, it } from 'vitest'
import type { IndexStore } from '../../../src/core/index/index-store.js'
import type { Given } from './given.js'
import { rows } from './rows.js'

export function describeFilters(given: Given): void {
  describe('filters', () => {
    const put = [
      rows(9, 'Projects/one.md', { tags: ['Project/Beta', 'urgent'], mtimeMs: 100, createdMs: 900 }),
      rows(2, 'Projects/sub/two.md', { tags: ['project'], mtimeMs: 200, createdMs: 200 }),
      rows(30, 'Projects.md', { tags: ['projects', 'URGENT'], mtimeMs: 300, createdMs: 50 }),
      rows(4, 'x.md', {
        properties: { Status: 'Done', n: 7, flag: true, authors: ['Ada', 'Grace'], none: null, deep: { a: 1 } },
      }),
    ]
    const ids = async (filter: Parameters<IndexStore['matching']>[0]) => [...(await given.store.matching(filter))]
    beforeEach(() => given.commit({ put }))

    it('match everything if empty, ids ascending', async () => {
      expect(await ids({})).toEqual([2, 4, 9, 30])
    })

    it('match tags with their descendants in any case, and require all of them', async () => {
      expect(await ids({ tags: ['project'] })).toEqual([2, 9])
      expect(await ids({ tags: ['PROJECT/beta'] })).toEqual([9])
      expect(await ids({ tags: ['project', 'Urgent'] })).toEqual([9])
      expect(await ids({ tags: ['proj'] })).toEqual([])
    })

    it('include and exclude notes by tag and by part of their path', async () => {
      expect(await ids({ notTags: ['project'] })).toEqual([4, 30])
      expect(await ids({ paths: ['SUB/'] })).toEqual([2])
      expect(await ids({ paths: ['projects', 'two'] })).toEqual([2])
      expect(await ids({ notPaths: ['projects/'] })).toEqual([4, 30])
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
      await given.commit({ put: [rows(5, 'y.md', { tags: ['urgent', 'Urgent'] })] })
      expect(await given.store.tags()).toEqual([
        { tag: 'urgent', notes: 3 },
        { tag: 'Project/Beta', notes: 1 },
        { tag: 'project', notes: 1 },
        { tag: 'projects', notes: 1 },
      ])
    })
  })
}
