import { describe, expect, it } from 'vitest'
import type { Given } from './given.js'

export function describeBlobs(given: Given): void {
  describe('blobs', () => {
    it('come back byte for byte, also large and empty ones', async () => {
      const large = Uint8Array.from({ length: 3_400_001 }, (_, at) => (at * 31 + (at >> 9)) & 255)
      const part = large.subarray(1, 6)
      await given.commit({
        blobs: {
          put: [
            { name: 'text-2', kind: 'text', bytes: large },
            { name: 'model-1', kind: 'model', bytes: new Uint8Array(0) },
            { name: 'part', kind: 'vectors', bytes: part },
          ],
        },
      })
      expect(await given.store.blobNames()).toEqual([
        { name: 'model-1', kind: 'model', size: 0 },
        { name: 'part', kind: 'vectors', size: 5 },
        { name: 'text-2', kind: 'text', size: 3_400_001 },
      ])
      expect(Buffer.compare((await given.store.blob('text-2')) ?? new Uint8Array(), large)).toBe(0)
      expect(await given.store.blob('model-1')).toHaveLength(0)
      expect([...((await given.store.blob('part')) ?? [])]).toEqual([...part])
      expect(await given.store.blob('missing')).toBeUndefined()
    })

    it('are replaced and removed by name', async () => {
      const blob = (name: string, ...bytes: number[]) => ({
        name,
        kind: 'text' as const,
        bytes: Uint8Array.from(bytes),
      })
      await given.commit({ blobs: { put: [blob('a', 1), blob('b', 2)] } })
      await given.commit({ blobs: { put: [blob('a', 3, 4)], remove: ['b', 'never'] } })
      expect((await given.store.blobNames()).map(({ name }) => name)).toEqual(['a'])
      expect([...((await given.store.blob('a')) ?? [])]).toEqual([3, 4])
      expect(await given.store.blob('b')).toBeUndefined()
    })
  })
}
