import { parentPort, workerData } from 'node:worker_threads'
import { openVaultIndex } from '../../core/vault-index/index.js'
import { type NotebookPlace, openPlace } from './open-notebook.js'
import { packError } from './thread-errors.js'
import type { WorkerMessage, WorkerUpdate } from './update-in-worker.js'
import { writeInThread } from './write-in-thread.js'

/** Reads what changed, then makes the vectors. */
export async function updateIndex(place: NotebookPlace, update: WorkerUpdate): Promise<void> {
  const { vault, store: own, indexFile } = await openPlace(place)
  const store = writeInThread(own, indexFile)
  try {
    const index = await openVaultIndex({ vault, store })
    const options = { signal: update.signal, onProgress: update.onProgress, breatheEvery: 50 }
    await index.catchUp(options)
    update.onLexical?.()
    await index.settle({ ...options, fit: update.vectors })
  } finally {
    await store.close()
  }
}

interface WorkerData {
  place: NotebookPlace
  vectors: boolean
}

async function runAsWorker(port: NonNullable<typeof parentPort>): Promise<void> {
  const { place, vectors } = workerData as WorkerData
  const post = (message: WorkerMessage) => port.postMessage(message)
  const stopping = new AbortController()
  port.on('message', () => stopping.abort())
  try {
    await updateIndex(place, {
      vectors,
      signal: stopping.signal,
      onProgress: (progress) => post({ type: 'progress', progress }),
      onLexical: () => post({ type: 'lexical' }),
    })
    post({ type: 'done' })
  } catch (error) {
    post({ type: 'failed', error: packError(error) })
  }
}

if (parentPort !== null && (workerData as WorkerData | undefined)?.place !== undefined) await runAsWorker(parentPort)
