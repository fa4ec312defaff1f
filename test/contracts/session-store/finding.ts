import { describe, expect, it } from 'vitest'
import { begin, entry, keep } from './entries.js'
import type { GivenStore } from './index.js'

export function describeFinding({ store }: GivenStore): void {
  describe('the list', () => {
    it('is empty at first, and shows each session with its data', async () => {
      expect(await store().list()).toEqual([])
      const writer = await store().write('s')
      const about = { turns: 2, model: 'm', project: 'Garden', waiting: ['a'], cost: 0.5 }
      await writer.append(entry([begin('one')], { about }))
      const [listed] = await store().list()
      expect(listed).toMatchObject({ id: 's', turns: 2, model: 'm', project: 'Garden', waiting: 1, cost: 0.5 })
      expect(listed.bytes).toBeGreaterThan(20)
      expect(await store().find('s')).toMatchObject({ ...listed, about, last: 1 })
    })

    it('has null as an unknown cost', async () => {
      await keep(store(), 's')
      expect((await store().list())[0].cost).toBeNull()
    })

    it('starts with the session that was changed last', async () => {
      for (const id of ['a', 'b', 'c']) await keep(store(), id)
      await keep(store(), 'a')
      expect((await store().list()).map(({ id }) => id)).toEqual(['a', 'c', 'b'])
    })
  })

  describe('a pin', () => {
    it('is kept with its session, and stays when the session continues', async () => {
      await keep(store(), 'a')
      await keep(store(), 'b')
      const pinned = async () => (await store().list()).filter((one) => one.pinned).map(({ id }) => id)
      expect(await pinned()).toEqual([])
      expect(await store().pin('a', true)).toBe(true)
      await keep(store(), 'a')
      expect(await pinned()).toEqual(['a'])
      expect(await store().pin('a', false)).toBe(true)
      expect(await pinned()).toEqual([])
      expect(await store().pin('none', true)).toBe(false)
    })
  })

  describe('a title', () => {
    it('is replaced only by one of higher precedence; the user can change their own', async () => {
      await keep(store(), 's')
      const title = async () => (await store().list())[0].title
      expect(await store().rename('s', 'What feeds', 'words')).toBe(true)
      expect(await store().rename('s', 'Soil', 'model')).toBe(true)
      expect(await store().rename('s', 'What feeds', 'words')).toBe(false)
      expect(await title()).toBe('Soil')
      expect(await store().rename('s', 'My soil', 'person')).toBe(true)
      expect(await store().rename('s', 'Soil', 'model')).toBe(false)
      expect(await store().rename('s', 'The soil', 'person')).toBe(true)
      expect(await title()).toBe('The soil')
    })

    it('cannot be set for a session that does not exist', async () => {
      expect(await store().rename('none', 'Title', 'person')).toBe(false)
      expect(await store().list()).toEqual([])
    })

    it('stays when the session continues', async () => {
      await keep(store(), 's')
      await store().rename('s', 'Mine', 'person')
      await keep(store(), 's')
      expect((await store().list())[0].title).toBe('Mine')
    })
  })

  describe('searching', () => {
    it('finds words of titles, requests and answers in any case, the newest session first', async () => {
      await keep(store(), 'old', 'Wann blüht der ÄPFELBAUM?')
      await keep(store(), 'new', 'Do apples keep?')
      await store().rename('new', 'Äpfelbaum', 'person')
      const found = await store().search('äpfelbaum')
      expect(found.map(({ id, seq }) => [id, seq])).toEqual([
        ['new', 0],
        ['old', 1],
      ])
      expect(found[1].passage).toContain('ÄPFELBAUM')
      expect((await store().search('feeds it')).map(({ id, seq }) => [id, seq])).toEqual([
        ['new', 3],
        ['old', 3],
      ])
    })

    it('takes the search text literally', async () => {
      await keep(store(), 's', '100 % of "it"')
      expect(await store().search('100 % of "it"')).toHaveLength(1)
      expect(await store().search('1%0')).toEqual([])
      expect(await store().search('_')).toEqual([])
    })
  })
}
