import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { IndexCorrupt } from '../../../core/index/index.js'
import { sqliteStore } from './sqlite-store.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const folder = mkdtempSync(join(tmpdir(), 'notewright-blobs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bytes = Uint8Array.from({ length: 30_000 }, (_, at) => (at * 11) & 255)

async function storeWithBlob(name: string) {
  const file = join(folder, name, 'index.db')
  const store = await sqliteStore({ file })
  const put = [{ name: 'text-1', kind: 'text' as const, bytes, head: 1000 }]
  await store.commit({ expect: await store.generation(), blobs: { put } })
  return { file, store }
}

describe('a blob that is read block by block', () => {
  it('reports damage when the damaged block is read, and not before', async () => {
    const { file, store: filled } = await storeWithBlob('blocks')
    await filled.close()
    const [name] = readdirSync(`${file}-blobs`)
    const place = join(`${file}-blobs`, name)
    const stored = readFileSync(place)
    const open = async (spoilt: number, readsAhead = false) => {
      const copy = Buffer.from(stored)
      copy[spoilt] ^= 4
      writeFileSync(place, copy)
      const store = await sqliteStore({ file, readsAhead })
      return { store, blob: () => store.blob('text-1') }
    }

    const tail = await open(20_000)
    const blob = await tail.blob()
    blob?.need(0, 16_000)
    expect(Buffer.compare(blob?.bytes.subarray(0, 16_000) ?? Buffer.of(), bytes.subarray(0, 16_000))).toBe(0)
    expect(() => blob?.need(19_000, 21_000)).toThrow(IndexCorrupt)
    expect(() => blob?.need(19_000, 21_000)).toThrow(IndexCorrupt)
    await tail.store.close()

    for (const [spoilt, readsAhead] of [
      [0, false],
      [999, false],
      [30_000, false],
      [stored.length - 1, false],
      [20_000, true],
    ] as const) {
      const { store, blob } = await open(spoilt, readsAhead)
      await expect(blob(), `byte ${spoilt}`).rejects.toThrow(IndexCorrupt)
      await store.close()
    }
  })

  it.skipIf(process.platform !== 'linux')('keeps its file open as long as someone may ask for more', async () => {
    const { file, store } = await storeWithBlob('handles')
    const readOne = async () => {
      const need = (await store.blob('text-1'))?.need
      await collect()
      expect(openBelow(`${file}-blobs/`)).toBe(1)
      need?.(20_000, 30_000)
    }
    await readOne()
    for (let turn = 0; turn < 20 && openBelow(`${file}-blobs/`) > 0; turn++) await collect()
    expect(openBelow(`${file}-blobs/`)).toBe(0)
    const kept = await store.blob('text-1')
    await store.close()
    expect(openBelow(`${file}-blobs/`)).toBe(0)
    expect(kept?.bytes).toHaveLength(30_000)
  })
})

async function collect(): Promise<void> {
  collectGarbage()
  await new Promise((resolve) => setImmediate(resolve))
}

function openBelow(path: string): number {
  return readdirSync('/proc/self/fd').filter((handle) => {
    try {
      return readlinkSync(`/proc/self/fd/${handle}`).startsWith(path)
    } catch {
      return false
    }
  }).length
}
