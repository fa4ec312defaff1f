import { describe, expect, it } from 'vitest'
import { begin, entry } from './entries.js'
import type { GivenStore } from './index.js'

const bytes = Uint8Array.from({ length: 5000 }, (_, at) => at % 256)

export function describeFiles({ store }: GivenStore): void {
  describe('files', () => {
    const keepOne = async (id: string) => {
      const writer = await store().write(id)
      await writer.keepFile('abc', bytes)
      await writer.keepFile('abc', bytes)
      await writer.append(entry([begin('one')]))
      await writer.release()
    }

    it('are stored once per session, and count towards its size', async () => {
      await keepOne('s')
      expect(await store().file('s', 'abc')).toEqual(bytes)
      expect(await store().file('s', 'abd')).toBeUndefined()
      expect(await store().file('other', 'abc')).toBeUndefined()
      const [{ bytes: taken }] = await store().list()
      expect(taken).toBeGreaterThan(bytes.length)
      expect(taken).toBeLessThan(2 * bytes.length)
    })

    it('are deleted with their session', async () => {
      await keepOne('s')
      await keepOne('t')
      await store().remove('s')
      expect(await store().file('s', 'abc')).toBeUndefined()
      expect(await store().file('t', 'abc')).toEqual(bytes)
    })

    it('of a session without events are discarded', async () => {
      const writer = await store().write('s')
      await writer.keepFile('abc', bytes)
      await writer.release()
      expect(await store().file('s', 'abc')).toBeUndefined()
    })

    it('can be stored only by the writer', async () => {
      const writer = await store().write('s')
      await writer.append(entry([begin('one')]))
      await writer.release()
      const next = await store().write('s')
      await expect(writer.keepFile('abc', bytes)).rejects.toMatchObject({ code: 'conflict' })
      await next.release()
    })
  })
}
