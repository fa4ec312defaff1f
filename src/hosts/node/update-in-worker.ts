import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Failure, type FailureCode } from '../../core/errors.js'
import { IndexCorrupt, type IndexProgress } from '../../core/vault-index/index.js'
import { updateIndex } from './index-worker.js'
import type { NotebookPlace } from './open-notebook.js'

export interface WorkerUpdate {
  vectors: boolean
  signal?: AbortSignal
  onProgress?: (progress: IndexProgress) => void
  /** Search by words and links are ready; vectors follow. */
  onLexical?: () => void
}

export type WorkerMessage =
  | { type: 'progress'; progress: IndexProgress }
  | { type: 'lexical' }
  | { type: 'done' }
  | { type: 'failed'; name: string; code?: FailureCode; message: string; hint?: string; stack?: string }

/** Indexes in a thread of its own, with its own connection to the same store, so that this one stays free to answer. */
export async function updateInWorker(place: NotebookPlace, update: WorkerUpdate): Promise<void> {
  const file = workerFile()
  if (file === undefined) return updateIndex(place, update)

  update.signal?.throwIfAborted()
  const worker = new Worker(file, { workerData: { place, vectors: update.vectors } })
  const stop = () => worker.postMessage('stop')
  update.signal?.addEventListener('abort', stop, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('error', reject)
      worker.on('exit', () => reject(new Error('The indexing thread ended before its work was done.')))
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'progress') update.onProgress?.(message.progress)
        else if (message.type === 'lexical') update.onLexical?.()
        else if (message.type === 'done') resolve()
        else reject(failureFrom(message))
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

/** The bundle has the worker beside this file or one folder up; run from source there is none, and the work is done here. */
function workerFile(): URL | undefined {
  const places = ['./index-worker.js', '../index-worker.js'].map((place) => new URL(place, import.meta.url))
  return places.find((place) => existsSync(fileURLToPath(place)))
}

/** An error loses its class on the way between threads. */
function failureFrom({ name, code, message, hint, stack }: WorkerMessage & { type: 'failed' }): Error {
  if (code !== undefined) return new Failure(code, message, { hint })
  if (name === 'IndexCorrupt') return new IndexCorrupt(message)
  return Object.assign(new Error(message), { stack })
}
