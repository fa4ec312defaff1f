import { Worker } from 'node:worker_threads'
import type { IndexWriter, NoteText, RunBatch } from '../../core/vault-index/index.js'
import { type PreparedBatch, prepareBatch } from './sqlite-store/index.js'
import { type PackedError, unpackError } from './thread-errors.js'
import { threadArguments, threadFile, writerLimits } from './thread-file.js'

/** What the thread is told: to forget what the run before has left, to write, or to end. */
export type WriterMessage = 'begin' | WriterBatch | 'close'

/** A prepared batch, with the rest of what a segment is made of; the passages are among the prepared rows. */
export type WriterBatch = PreparedBatch & Pick<RunBatch, 'segment'> & { texts: Omit<NoteText, 'chunks'>[] }

export type WriterReply = { generation: number | undefined } | { error: PackedError }

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
  /** Those who wait for a reply, in the order they asked. */
  const waiting: { resolve(generation: number | undefined): void; reject(error: Error): void }[] = []
  let broken: Error | undefined
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      fail(new Error('The thread that writes the index has ended.'))
      resolve()
    })
  })
  worker.on('error', fail)
  worker.on('message', (reply: WriterReply) => {
    const next = waiting.shift()
    if ('error' in reply) next?.reject(unpackError(reply.error))
    else next?.resolve(reply.generation)
  })

  function fail(error: Error): void {
    broken ??= error
    for (const { reject } of waiting.splice(0)) reject(broken)
  }

  const post = (message: WriterMessage): void => worker.postMessage(message)

  function write(batch: RunBatch): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      if (broken !== undefined) return reject(broken)
      post(messageOf(batch))
      waiting.push({ resolve, reject })
    })
  }

  return {
    newWriter() {
      post('begin')
      return { write }
    },
    async close() {
      if (broken === undefined) post('close')
      await ended
    },
  }
}

function messageOf({ segment, ...batch }: RunBatch): WriterBatch {
  const texts = batch.put.map(({ note: { id, path, title, aliases }, extra }) => ({ id, path, title, aliases, extra }))
  return { ...prepareBatch(batch), segment, texts }
}
