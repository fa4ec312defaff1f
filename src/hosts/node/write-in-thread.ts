import { Worker } from 'node:worker_threads'
import type { IndexBatch, IndexStore } from '../../core/vault-index/index.js'
import { prepareBatch } from './sqlite-store/index.js'
import { type PackedError, unpackError } from './thread-errors.js'
import { threadFile, writerLimits } from './thread-file.js'

export type WriterReply = { generation: number | undefined } | { error: PackedError }

/**
 * The same store, with batches written by a thread of their own: a large run reads the next notes meanwhile. Both have
 * a connection to the file, and a batch still counts only on the generation it was made on.
 */
export function writeInThread<Store extends IndexStore>(store: Store, file: string): Store {
  const thread = threadFile('store-writer')
  return thread === undefined
    ? store
    : {
        ...store,
        ...writer(new Worker(thread, { workerData: { writesTo: file }, resourceLimits: writerLimits }), store),
      }
}

function writer(worker: Worker, store: IndexStore): Pick<IndexStore, 'commit' | 'close'> {
  /** Those who wait for a reply, in the order they asked. */
  const waiting: { resolve(generation: number | undefined): void; reject(error: Error): void }[] = []
  let broken: Error | undefined
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      fail(new Error('The thread that writes the index has ended.'))
      resolve()
    })
  })
  worker.on('error', fail)
  worker.on('message', (reply: WriterReply) => {
    const next = waiting.shift()
    if ('error' in reply) next?.reject(unpackError(reply.error))
    else next?.resolve(reply.generation)
  })

  function fail(error: Error): void {
    broken ??= error
    for (const { reject } of waiting.splice(0)) reject(broken)
  }

  return {
    commit(batch: IndexBatch) {
      return new Promise((resolve, reject) => {
        if (broken !== undefined) return reject(broken)
        // Blobs are handed over, not copied: whoever makes one has no more use for it.
        const blobs = batch.blobs?.put?.map(({ bytes }) => bytes.buffer as ArrayBuffer) ?? []
        worker.postMessage(prepareBatch(batch), blobs)
        waiting.push({ resolve, reject })
      })
    },
    async close() {
      if (broken === undefined) worker.postMessage('close')
      await ended
      await store.close()
    },
  }
}
