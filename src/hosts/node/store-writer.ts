import { parentPort, workerData } from 'node:worker_threads'
import { rpcOverPort, segmentCollector } from '../../core/index/index.js'
import { sqliteStore } from './sqlite-store/sqlite-store.js'
import { contentsOf } from './sqlite-store/write-batch.js'
import { threadPort } from './threads.js'
import { closeMethod, writeMethod } from './writer-thread.js'

/** A thread that does nothing but write batches into the index, one after the other, and make the segments they name. */
async function writeBatches(port: NonNullable<typeof parentPort>, file: string): Promise<void> {
  const opening = sqliteStore({ file })
  let gather = segmentCollector()
  const calls = rpcOverPort(threadPort(port))
  calls.answer(writeMethod, async ({ texts, segment, isFirst, ...batch }) => {
    const store = await opening
    if (isFirst) gather = segmentCollector()
    const prepared = new Map(batch.put.map((note) => [note.id, note]))
    const whole = texts.map((text) => ({ ...text, chunks: contentsOf(prepared.get(text.id)) }))
    return store.commitPrepared({ ...batch, blobs: gather(whole, segment) })
  })
  calls.answer(closeMethod, async () => (await opening).close())
  await opening
}

const { writesTo } = (workerData ?? {}) as { writesTo?: string }
if (parentPort !== null && writesTo !== undefined) await writeBatches(parentPort, writesTo)
