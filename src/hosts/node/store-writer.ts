import { parentPort, workerData } from 'node:worker_threads'
import { segmentGatherer } from '../../core/vault-index/index.js'
import { contentsOf, type SqliteStore, sqliteStore } from './sqlite-store/index.js'
import { packError } from './thread-errors.js'
import type { WriterBatch, WriterMessage, WriterReply } from './writer-thread.js'

/** A thread that does nothing but write batches into the index, one after the other, and make the segments they name. */
async function writeBatches(port: NonNullable<typeof parentPort>, file: string): Promise<void> {
  const store = await sqliteStore({ file })
  const reply = (message: WriterReply) => port.postMessage(message)
  let write = batchWriter(store)
  port.on('message', async (message: WriterMessage) => {
    try {
      if (message === 'close') {
        await store.close()
        port.close()
      } else if (message === 'begin') {
        write = batchWriter(store)
      } else {
        reply({ generation: await write(message) })
      }
    } catch (error) {
      reply({ error: packError(error) })
    }
  })
}

function batchWriter(store: SqliteStore): (batch: WriterBatch) => Promise<number | undefined> {
  const gather = segmentGatherer()
  return ({ texts, segment, ...batch }) => {
    const prepared = new Map(batch.put.map((note) => [note.id, note]))
    const whole = texts.map((text) => ({ ...text, chunks: contentsOf(prepared.get(text.id)) }))
    return store.commitPrepared({ ...batch, blobs: gather(whole, segment) })
  }
}

const { writesTo } = (workerData ?? {}) as { writesTo?: string }
if (parentPort !== null && writesTo !== undefined) await writeBatches(parentPort, writesTo)
