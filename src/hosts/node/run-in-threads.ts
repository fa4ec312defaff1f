import type { Worker } from 'node:worker_threads'
import type { IndexProgress } from '../../core/vault-index/index.js'
import type { IndexStage } from './index-worker.js'
import type { NotebookPlace } from './open-notebook.js'
import { type PackedError, unpackError } from './thread-errors.js'
import { readerLimits, threadArguments, threadFile } from './thread-file.js'

export interface WorkerUpdate {
  vectors: boolean
  signal?: AbortSignal
  onProgress?: (progress: IndexProgress) => void
  onDone?: (stage: IndexStage) => void
}

export type WorkerMessage =
  | { type: 'progress'; progress: IndexProgress }
  | { type: 'done' }
  | { type: 'failed'; error: PackedError }

/**
 * Runs stages of indexing, each in a thread of its own with its own connection to the same store, so that this one
 * stays free to answer. What reading took in memory is given back before the vectors take theirs: a thread ends once the
 * next one has begun, because the C library gives a beginning thread the memory of the one that ended last. That has to
 * be the one that made the segments, which the reading thread has ended before itself.
 */
export async function runInThreads(
  stages: readonly IndexStage[],
  place: NotebookPlace,
  update: WorkerUpdate,
): Promise<void> {
  const file = threadFile('index-worker')
  if (file === undefined) return runHere(stages, place, update)
  const { Worker } = await import('node:worker_threads')

  const threads: Worker[] = []
  try {
    for (const stage of stages) {
      update.signal?.throwIfAborted()
      const workerData = { stage, place, vectors: update.vectors }
      const worker = new Worker(file, { workerData, execArgv: threadArguments, resourceLimits: readerLimits })
      const before = threads.at(-1)
      threads.push(worker)
      worker.once('online', () => void before?.terminate())
      await isDone(worker, update)
      update.onDone?.(stage)
    }
  } finally {
    for (const thread of threads) await thread.terminate()
  }
}

async function isDone(worker: Worker, { signal, onProgress }: WorkerUpdate): Promise<void> {
  const stop = () => worker.postMessage('stop')
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('error', reject)
      worker.on('exit', () => reject(new Error('The indexing thread ended before its work was done.')))
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'progress') onProgress?.(message.progress)
        else if (message.type === 'done') resolve()
        else reject(unpackError(message.error))
      })
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Run from source there are no threads. Loaded only here: most processes find their index up to date. */
async function runHere(stages: readonly IndexStage[], place: NotebookPlace, update: WorkerUpdate): Promise<void> {
  const { runStage } = await import('./index-worker.js')
  for (const stage of stages) {
    await runStage(stage, place, update)
    update.onDone?.(stage)
  }
}
