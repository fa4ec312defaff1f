import type { IndexStore, StoredBlob } from './index-store.js'
import { compareText } from './note-facts.js'
import { changeRows, copy, countRows, noRows, rowAnswers } from './store-rows.js'

/** The reference store: a plain reading of the port's promises. For tests, and for vaults that need no memory of themselves. */
export function memoryStore(): IndexStore {
  let generation = 0
  let state = noRows()
  let meta = new Map<string, string>()
  let blobs = new Map<string, StoredBlob>()

  return {
    ...rowAnswers(async () => state),
    generation: async () => generation,
    meta: async (key) => meta.get(key),
    async commit(batch) {
      if (batch.expect !== generation) return undefined
      changeRows(state, { ...batch, put: batch.put?.map(copy), files: batch.files?.map((file) => ({ ...file })) })
      for (const [key, value] of Object.entries(batch.meta ?? {})) meta.set(key, value)
      for (const name of batch.blobs?.remove ?? []) blobs.delete(name)
      for (const blob of batch.blobs?.put ?? []) blobs.set(blob.name, { ...blob, bytes: blob.bytes.slice() })
      generation += 1
      return generation
    },
    async chunks(wanted) {
      const chunksOf = (id: number) => state.rows.get(state.paths.get(id)!)?.chunks
      return wanted.map(({ note, ordinal }) => copy(chunksOf(note)?.find((chunk) => chunk.ordinal === ordinal)))
    },
    async counts() {
      const chunks = [...state.rows.values()].reduce((sum, row) => sum + row.chunks.length, 0)
      return { ...countRows(state), chunks }
    },
    async blobNames() {
      const sorted = [...blobs.values()].sort((a, b) => compareText(a.name, b.name))
      return sorted.map(({ name, kind, bytes }) => ({ name, kind, size: bytes.length }))
    },
    async blob(name) {
      const bytes = blobs.get(name)?.bytes.slice()
      return bytes && { bytes, need: () => {} }
    },
    erase: async () => true,
    async clear() {
      state = noRows()
      meta = new Map()
      blobs = new Map()
      generation += 1
    },
    async close() {},
  }
}
