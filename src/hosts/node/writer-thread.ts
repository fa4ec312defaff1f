import { Worker } from 'node:worker_threads'
import { type IndexWriter, type NoteText, type RunBatch, rpcMethod, rpcOverPort } from '../../core/index/index.js'
import { type PreparedBatch, prepareBatch } from './sqlite-store/write-batch.js'
import { threadArguments, threadFile, threadPort, writerLimits } from './threads.js'

/** A prepared batch, with the other data of a segment; the passages are among the prepared rows. */
type WriterBatch = PreparedBatch &
  Pick<RunBatch, 'segment'> & {
    texts: Omit<NoteText, 'chunks'>[]
    /** First batch of a run: discards what an earlier run left. */
    isFirst: boolean
  }

export const writeMethod = rpcMethod<WriterBatch, number | undefined>('write')
export const closeMethod = rpcMethod<void, void>('close')

interface WriterThread {
  newWriter(): IndexWriter
  close(): Promise<void>
}

/**
 * Writes rows and makes segments in its own thread: a large run reads the next notes in the meantime. It has its own
 * connection to the file, and a batch is only valid for the generation it was made on. undefined when run from source.
 */
export function writerThread(file: string): WriterThread | undefined {
  const thread = threadFile('store-writer')
  if (thread === undefined) return undefined
  const workerData = { writesTo: file }
  return writeIn(new Worker(thread, { workerData, execArgv: threadArguments, resourceLimits: writerLimits }))
}

function writeIn(worker: Worker): WriterThread {
  const calls = rpcOverPort(threadPort(worker))
  worker.on('exit', () => calls.end(new Error('The index writer thread ended unexpectedly.')))
  worker.on('error', calls.end)
  return {
    newWriter() {
      let isFirst = true
      return {
        write(batch) {
          const writing = calls.ask(writeMethod, messageOf(batch, isFirst))
          isFirst = false
          return writing
        },
      }
    },
    async close() {
      // Even if closing fails, the thread is terminated.
      await calls.ask(closeMethod, undefined).catch(() => undefined)
      await worker.terminate()
    },
  }
}

function messageOf({ segment, ...batch }: RunBatch, isFirst: boolean): WriterBatch {
  const texts = batch.put.map(({ note: { id, path, title }, names, extra }) => ({ id, path, title, names, extra }))
  return { ...prepareBatch(batch), segment, texts, isFirst }
}
