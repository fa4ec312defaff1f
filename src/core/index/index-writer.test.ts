import { describe, expect, it } from 'vitest'
import { parseNote } from '../markdown/index.js'
import { memoryVault, notePath } from '../vault/index.js'
import { noteRows } from './index-run.js'
import type { IndexBatch } from './index-store.js'
import { indexWriter, type ReadNote, type RunBatch } from './index-writer.js'
import { memoryStore } from './memory-store.js'

const nothing: Omit<RunBatch, 'segment'> = { expect: 0, put: [] }

describe('an index writer whose segments are built in another thread', () => {
  it('writes rows at once and awaits only the segment', async () => {
    const events: string[] = []
    const store = {
      async commit({ blobs }: IndexBatch) {
        events.push(blobs === undefined ? 'rows' : 'rows with the segment')
        return 1
      },
    }
    const writer = indexWriter(store, async (_, segment) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      events.push(`gathered ${segment ?? 'words'}`)
      return segment === undefined ? undefined : { put: [] }
    })
    await writer.write({ ...nothing, put: [await note(1)], rowsFollow: true })
    await writer.write({ ...nothing, put: [await note(2)], segment: 'text-1' })
    expect(events).toEqual(['rows', 'gathered words', 'gathered text-1', 'rows with the segment'])
  })

  it('writes no segment if a part of it failed', async () => {
    const { commit } = memoryStore()
    const writer = indexWriter({ commit }, async (_, segment) => {
      if (segment === undefined) throw new Error('The thread is gone.')
      return { put: [] }
    })
    const generation = await writer.write({ ...nothing, put: [await note(1)], rowsFollow: true })
    const last = writer.write({ ...nothing, expect: generation!, segment: 'text-1' })
    await expect(last).rejects.toThrow('The thread is gone.')
  })
})

async function note(id: number): Promise<ReadNote> {
  const path = notePath(`${id}.md`)
  const file = (await memoryVault({ files: { [path]: 'apples' } }).read(path))!
  return { ...noteRows(id, file, parseNote(path, file.text), []), names: [], extra: '' }
}
