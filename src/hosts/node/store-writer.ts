import { parentPort, workerData } from 'node:worker_threads'
import { type PreparedBatch, sqliteStore } from './sqlite-store/index.js'
import { packError } from './thread-errors.js'
import type { WriterReply } from './write-in-thread.js'

/** A thread that does nothing but write batches into the index, one after the other. */
async function writeBatches(port: NonNullable<typeof parentPort>, file: string): Promise<void> {
  const store = await sqliteStore({ file })
  const reply = (message: WriterReply) => port.postMessage(message)
  port.on('message', async (message: PreparedBatch | 'close') => {
    try {
      if (message === 'close') {
        await store.close()
        port.close()
        return
      }
      reply({ generation: await store.commitPrepared(message) })
    } catch (error) {
      reply({ error: packError(error) })
    }
  })
}

const { writesTo } = (workerData ?? {}) as { writesTo?: string }
if (parentPort !== null && writesTo !== undefined) await writeBatches(parentPort, writesTo)
