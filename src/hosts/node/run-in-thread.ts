import type { IndexProgress } from '../../core/vault-index/index.js'
import type { IndexStage } from './index-worker.js'
import type { NotebookPlace } from './open-notebook.js'
import { type PackedError, unpackError } from './thread-errors.js'
import { readerLimits, threadFile } from './thread-file.js'

export interface WorkerUpdate {
  vectors: boolean
  signal?: AbortSignal
  onProgress?: (progress: IndexProgress) => void
}

export type WorkerMessage =
  | { type: 'progress'; progress: IndexProgress }
  | { type: 'done' }
  | { type: 'failed'; error: PackedError }

/**
 * Runs a stage of indexing in a thread of its own, with its own connection to the same store, so that this one stays
 * free to answer. Reading and vectors take one each: what reading took in memory is given back before the vectors take
 * theirs.
 */
export async function runInThread(stage: IndexStage, place: NotebookPlace, update: WorkerUpdate): Promise<void> {
  const file = threadFile('index-worker')
  // Loaded only here: most processes find their index up to date.
  if (file === undefined) return (await import('./index-worker.js')).runStage(stage, place, update)
  const { Worker } = await import('node:worker_threads')

  update.signal?.throwIfAborted()
  const worker = new Worker(file, {
    workerData: { stage, place, vectors: update.vectors },
    resourceLimits: readerLimits,
  })
  const stop = () => worker.postMessage('stop')
  update.signal?.addEventListener('abort', stop, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('error', reject)
      worker.on('exit', () => reject(new Error('The indexing thread ended before its work was done.')))
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'progress') update.onProgress?.(message.progress)
        else if (message.type === 'done') resolve()
        else reject(unpackError(message.error))
      })
    })
  } catch (error) {
    update.signal?.throwIfAborted()
    throw error
  } finally {
    update.signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
