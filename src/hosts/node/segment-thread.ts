import { Worker } from 'node:worker_threads'
import type { IndexWriter } from '../../core/vault-index/index.js'
import {
  call,
  callsOver,
  type IndexBatch,
  type IndexStore,
  indexWriter,
  type NoteText,
} from '../../core/vault-index/index.js'
import { threadArguments, threadFile, writerLimits } from './thread-file.js'
import { threadPort } from './thread-port.js'

interface Texts {
  texts: readonly NoteText[]
  segment: string | undefined
}

export const gatherCall = call<Texts, IndexBatch['blobs']>('gather')

/** So many notes are worth a thread. */
const manyNotes = 400
/** Small enough for that thread to begin early. */
const pieceBytes = 1 << 19

/**
 * A writer for what a change set has touched: of many notes the segment is made in a thread of its own, while this one
 * reads them and writes their rows.
 */
export function changeWriter(store: Pick<IndexStore, 'commit'>, notes: number): IndexWriter {
  const thread = notes < manyNotes ? undefined : threadFile('segment-maker')
  if (thread === undefined) return indexWriter(store)
  const worker = new Worker(thread, {
    workerData: { makesSegments: true },
    execArgv: threadArguments,
    resourceLimits: writerLimits,
  })
  const calls = callsOver(threadPort(worker))
  worker.on('exit', () => calls.end(new Error('The thread that makes segments has ended.')))
  worker.on('error', calls.end)
  const gather = (texts: readonly NoteText[], segment: string | undefined) => calls.ask(gatherCall, { texts, segment })
  return { ...indexWriter(store, gather), pieceBytes, close: async () => void (await worker.terminate()) }
}
