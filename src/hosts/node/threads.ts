import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type MessagePort, Worker } from 'node:worker_threads'
import {
  type IndexBatch,
  type IndexStore,
  type IndexWriter,
  indexWriter,
  type NoteText,
  type RunStages,
  rpcMethod,
  rpcOverPort,
  runInWorker,
  type ThreadPort,
} from '../../core/index/index.js'
import type { NotebookSettings } from './open-index.js'

/**
 * Runs stages of indexing, each in its own thread with its own connection to the same store, so that this thread stays
 * responsive. Memory used for reading is freed before vectors need theirs: a thread ends once the next one has begun,
 * because the C library gives a new thread the memory of the one that ended last. That must be the segment thread, so
 * it ends the reading thread before itself. undefined when run from source.
 */
export function runInThreads(settings: NotebookSettings): RunStages | undefined {
  const file = threadFile('index-worker')
  return file && ((stages, options) => runStagesInThreads(file, settings, stages, options))
}

async function runStagesInThreads(
  file: URL,
  settings: NotebookSettings,
  ...[stages, options]: Parameters<RunStages>
): Promise<void> {
  const { Worker } = await import('node:worker_threads')
  const threads: Worker[] = []
  try {
    for (const stage of stages) {
      options.signal?.throwIfAborted()
      const thread = new Worker(file, {
        workerData: { indexes: settings },
        execArgv: threadArguments,
        resourceLimits: readerLimits,
      })
      const before = threads.at(-1)
      threads.push(thread)
      thread.once('online', () => void before?.terminate())
      const calls = rpcOverPort(threadPort(thread))
      thread.on('error', calls.end)
      thread.on('exit', () => calls.end(new Error('The indexing thread ended unexpectedly.')))
      await runInWorker(calls, stage, options)
      options.onDone?.(stage)
    }
  } finally {
    for (const thread of threads) await thread.terminate()
  }
}

/** Path of a thread's file in the bundle: next to this file or one folder up. There is none when run from source. */
export function threadFile(name: string): URL | undefined {
  const places = [`./${name}.mjs`, `../${name}.mjs`].map((place) => new URL(place, import.meta.url))
  return places.find((place) => existsSync(fileURLToPath(place)))
}

/**
 * Memory for short-lived objects. Reading notes creates many: half of this takes 5 % more time, twice as much needs 20
 * MB more for a large vault. Writing creates few.
 */
const readerLimits = { maxYoungGenerationSizeMb: 24 }
export const writerLimits = { maxYoungGenerationSizeMb: 12 }

/** Disables the warning that Node's own SQLite may change; see `apps/cli/main.ts`. */
export const threadArguments = ['--disable-warning=ExperimentalWarning']

/** A thread, or the one that started this, as the core talks to threads. */
export function threadPort(thread: Worker | MessagePort): ThreadPort {
  const port: ThreadPort = { postMessage: (message) => thread.postMessage(message), onmessage: null }
  thread.on('message', (data: unknown) => port.onmessage?.({ data } as never))
  return port
}

interface Texts {
  texts: readonly NoteText[]
  segment: string | undefined
}

export const gatherCall = rpcMethod<Texts, IndexBatch['blobs']>('gather')

/** A thread is used from this number of notes. */
const manyNotes = 50
/** Small enough for that thread to begin early. */
const pieceBytes = 1 << 19

/**
 * A writer for the notes of a change set: for many notes the segment is made in its own thread, while this one reads
 * them and writes their rows.
 */
export function changeWriter(store: Pick<IndexStore, 'commit'>, notes: number): IndexWriter {
  const thread = notes < manyNotes ? undefined : threadFile('segment-maker')
  if (thread === undefined) return indexWriter(store)
  const worker = new Worker(thread, {
    workerData: { makesSegments: true },
    execArgv: threadArguments,
    resourceLimits: writerLimits,
  })
  const calls = rpcOverPort(threadPort(worker))
  worker.on('exit', () => calls.end(new Error('The segment thread ended unexpectedly.')))
  worker.on('error', calls.end)
  const gather = (texts: readonly NoteText[], segment: string | undefined) => calls.ask(gatherCall, { texts, segment })
  return { ...indexWriter(store, gather), pieceBytes, close: async () => void (await worker.terminate()) }
}
