import { describe, expect, it } from 'vitest'
import type { Given } from './given.js'

export function describeBlobs(given: Given): void {
  async function bytesOf(name: string): Promise<Uint8Array> {
    const blob = await given.store.blob(name)
    if (blob === undefined) throw new Error('There should be a blob.')
    blob.need(0, blob.bytes.length)
    return blob.bytes
  }

  describe('blobs', () => {
    it('are returned byte for byte, also large and empty ones', async () => {
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
      expect(isSame(await bytesOf('text-2'), large)).toBe(true)
      expect(await bytesOf('model-1')).toHaveLength(0)
      expect([...(await bytesOf('part'))]).toEqual([...part])
      expect(await given.store.blob('missing')).toBeUndefined()
    })

    it('with a head can be read in ranges, in any order and repeatedly', async () => {
      const bytes = Uint8Array.from({ length: 50_003 }, (_, at) => (at * 13 + (at >> 8)) & 255)
      const heads = [0, 1, 7000, 50_002, 50_003]
      const put = heads.map((head) => ({ name: `text-${head}`, kind: 'text' as const, bytes, head }))
      await given.commit({ blobs: { put } })
      const stretches = [
        [40_000, 40_001],
        [0, 3],
        [6998, 7002],
        [50_002, 50_003],
        [30_000, 45_000],
        [12_000, 12_000],
        [0, 50_003],
      ]
      for (const head of heads) {
        const blob = await given.store.blob(`text-${head}`)
        if (blob === undefined) throw new Error('There should be a blob.')
        expect(isSame(blob.bytes.subarray(0, head), bytes.subarray(0, head))).toBe(true)
        for (const [from, to] of stretches) {
          blob.need(from, to)
          expect(isSame(blob.bytes.subarray(from, to), bytes.subarray(from, to))).toBe(true)
        }
      }
    })

    it('can be read to the end after they are removed', async () => {
      const bytes = Uint8Array.from({ length: 20_000 }, (_, at) => at & 255)
      await given.commit({ blobs: { put: [{ name: 'text-1', kind: 'text', bytes, head: 100 }] } })
      const blob = await given.store.blob('text-1')
      await given.commit({ blobs: { remove: ['text-1'] } })
      blob?.need(100, 20_000)
      expect(isSame(blob?.bytes ?? new Uint8Array(), bytes)).toBe(true)
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
      expect([...(await bytesOf('a'))]).toEqual([3, 4])
      expect(await given.store.blob('b')).toBeUndefined()
    })
  })
}

/** Millions of bytes, compared without making a list of them. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
