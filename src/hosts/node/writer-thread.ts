import { Worker } from 'node:worker_threads'
import { call, callsOver, type IndexWriter, type NoteText, type RunBatch } from '../../core/vault-index/index.js'
import { type PreparedBatch, prepareBatch } from './sqlite-store/index.js'
import { threadArguments, threadFile, writerLimits } from './thread-file.js'
import { threadPort } from './thread-port.js'

/** A prepared batch, with the rest of what a segment is made of; the passages are among the prepared rows. */
type WriterBatch = PreparedBatch &
  Pick<RunBatch, 'segment'> & {
    texts: Omit<NoteText, 'chunks'>[]
    /** Of a run: what a run before has left is forgotten. */
    isFirst: boolean
  }

export const writeCall = call<WriterBatch, number | undefined>('write')
export const closeCall = call<void, void>('close')

export interface WriterThread {
  newWriter(): IndexWriter
  close(): Promise<void>
}

/**
 * Writes rows and makes segments in a thread of its own: a large run reads the next notes meanwhile. It has its own
 * connection to the file, and a batch still counts only on the generation it was made on. undefined when run from source.
 */
export function writerThread(file: string): WriterThread | undefined {
  const thread = threadFile('store-writer')
  if (thread === undefined) return undefined
  const workerData = { writesTo: file }
  return writeIn(new Worker(thread, { workerData, execArgv: threadArguments, resourceLimits: writerLimits }))
}

function writeIn(worker: Worker): WriterThread {
  const calls = callsOver(threadPort(worker))
  worker.on('exit', () => calls.end(new Error('The thread that writes the index has ended.')))
  worker.on('error', calls.end)
  return {
    newWriter() {
      let isFirst = true
      return {
        write(batch) {
          const writing = calls.ask(writeCall, messageOf(batch, isFirst))
          isFirst = false
          return writing
        },
      }
    },
    async close() {
      // However that goes, the thread has ended afterwards.
      await calls.ask(closeCall, undefined).catch(() => undefined)
      await worker.terminate()
    },
  }
}

function messageOf({ segment, ...batch }: RunBatch, isFirst: boolean): WriterBatch {
  const texts = batch.put.map(({ note: { id, path, title }, names, extra }) => ({ id, path, title, names, extra }))
  return { ...prepareBatch(batch), segment, texts, isFirst }
}
