import { describe, expect, it } from 'vitest'
import { begin, entry, keep } from './entries.js'
import type { GivenStore } from './index.js'

export function describeRemoving({ store }: GivenStore): void {
  describe('removing', () => {
    it('removes one session and no other', async () => {
      await keep(store(), 'a')
      await keep(store(), 'b')
      expect(await store().remove('a')).toBe(true)
      expect((await store().list()).map(({ id }) => id)).toEqual(['b'])
      expect(await store().read('a')).toEqual([])
      expect((await store().search('soil')).map(({ id }) => id)).toEqual(['b'])
      expect(await store().remove('a')).toBe(false)
    })

    it('waits until the writer releases it', async () => {
      const writer = await store().write('s')
      await writer.append(entry([begin('one')]))
      await expect(store().remove('s')).rejects.toMatchObject({ code: 'conflict' })
      await writer.release()
      expect(await store().remove('s')).toBe(true)
    })

    it('keeps the usage without the session id', async () => {
      const row = { time: '2026-03-02T00:00:00.000Z', model: 'm', input: 10, output: 5, cached: 0, cost: 0.25 }
      const writer = await store().write('s')
      await writer.append(entry([begin('one')], { usage: [{ ...row, session: 's', turn: 't1', project: 'Garden' }] }))
      await writer.release()
      await store().remove('s')
      expect(await store().usage()).toEqual([{ ...row, turn: 't1' }])
    })

    it('lets a new session with the same name start at 1', async () => {
      await keep(store(), 's')
      await store().remove('s')
      await keep(store(), 's', 'anew')
      const read = await store().read('s')
      expect(read.map(({ seq }) => seq)).toEqual([1, 2, 3])
      expect(read[0].event).toMatchObject({ text: 'anew' })
    })
  })
}
