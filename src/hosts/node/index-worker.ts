import { parentPort, workerData } from 'node:worker_threads'
import { type IndexProgress, openVaultIndex } from '../../core/vault-index/index.js'
import { type NotebookPlace, openPlace } from './open-notebook.js'
import type { WorkerMessage, WorkerUpdate } from './run-in-threads.js'
import { packError } from './thread-errors.js'
import { writerThread } from './writer-thread.js'

export type IndexStage = 'read' | 'vectors' | 'both'

/** An update, or one half of it: reads what changed, then makes the vectors. */
export async function runStage(stage: IndexStage, place: NotebookPlace, update: WorkerUpdate): Promise<void> {
  const options = { signal: update.signal, onProgress: update.onProgress, yieldEveryMs: 50 }
  const { vault, store, indexFile } = await openPlace(place)
  const thread = stage === 'vectors' ? undefined : writerThread(indexFile)
  try {
    const index = await openVaultIndex({ vault, store, newWriter: thread?.newWriter })
    if (stage !== 'vectors') await index.catchUp(options)
    if (stage !== 'read') await index.finishVectors({ ...options, fit: update.vectors })
  } finally {
    await thread?.close()
    await store.close()
  }
}

interface WorkerData {
  stage: IndexStage
  place: NotebookPlace
  vectors: boolean
}

async function runAsWorker(port: NonNullable<typeof parentPort>): Promise<void> {
  const { stage, place, vectors } = workerData as WorkerData
  const post = (message: WorkerMessage) => port.postMessage(message)
  const stopping = new AbortController()
  port.on('message', () => stopping.abort())
  try {
    await runStage(stage, place, {
      vectors,
      signal: stopping.signal,
      onProgress: seldom((progress) => post({ type: 'progress', progress })),
    })
    post({ type: 'done' })
  } catch (error) {
    post({ type: 'failed', error: packError(error) })
  }
}

/** More often than eyes can follow, news would only take time from the work. What ends a phase is always told. */
const newsEveryMs = 50

function seldom(tell: (progress: IndexProgress) => void): (progress: IndexProgress) => void {
  let last = 0
  return (progress) => {
    const now = performance.now()
    if (now - last < newsEveryMs && progress.done !== 0 && progress.done !== progress.total) return
    last = now
    tell(progress)
  }
}

if (parentPort !== null && (workerData as WorkerData | undefined)?.place !== undefined) void runAsWorker(parentPort)
