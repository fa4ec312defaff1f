import { parentPort, workerData } from 'node:worker_threads'
import { indexingWorker, rpcOverPort } from '../../core/index/index.js'
import { type NotebookSettings, openIndexedVault } from './open-index.js'
import { threadPort } from './threads.js'
import { writerThread } from './writer-thread.js'

/** A thread that makes the index, with its own connection to the store; rows are written by another meanwhile. */
function indexHere(port: NonNullable<typeof parentPort>, settings: NotebookSettings): void {
  indexingWorker(rpcOverPort(threadPort(port)), async (stage) => {
    const { vault, store, indexFile, trouble, unkeptBecause } = await openIndexedVault(settings)
    if (unkeptBecause !== undefined) throw new Error(trouble)
    const writer = stage === 'vectors' ? undefined : writerThread(indexFile)
    const close = async () => {
      await writer?.close()
      await store.close()
    }
    return { vault, store, newWriter: writer?.newWriter, close }
  })
}

const { indexes } = (workerData ?? {}) as { indexes?: NotebookSettings }
if (parentPort !== null && indexes !== undefined) indexHere(parentPort, indexes)
