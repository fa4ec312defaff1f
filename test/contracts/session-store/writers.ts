import { describe, expect, it } from 'vitest'
import { begin, end, entry, keep } from './entries.js'
import type { GivenStore } from './index.js'

export function describeWriters({ store }: GivenStore): void {
  describe('writing', () => {
    it('is limited to one writer: the second learns which process holds the session', async () => {
      const writer = await store().write('s')
      await expect(store().write('s')).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('is open in'),
      })
      await writer.release()
      await (await store().write('s')).release()
    })

    it('works in two sessions at once, and reading during it', async () => {
      const one = await store().write('one')
      const two = await store().write('two')
      await one.append(entry([begin('one')]))
      await two.append(entry([begin('two')]))
      expect(await store().read('one')).toHaveLength(1)
      expect(await store().read('two')).toHaveLength(1)
    })

    it('ends when the session is released', async () => {
      await keep(store(), 's')
      const first = await store().write('s')
      await first.release()
      const second = await store().write('s')
      await expect(first.append(entry([end('late')]))).rejects.toMatchObject({ code: 'conflict' })
      await first.release()
      expect(await second.append(entry([begin('still mine')]))).toBe(4)
    })

    it('leaves no trace if nothing was written', async () => {
      const writer = await store().write('s')
      expect(await store().list()).toEqual([])
      expect(await store().find('s')).toBeUndefined()
      await writer.release()
      expect(await store().find('s')).toBeUndefined()
    })
  })
}
