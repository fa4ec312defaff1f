import { parentPort, workerData } from 'node:worker_threads'
import { callsOver, segmentGatherer } from '../../core/vault-index/index.js'
import { contentsOf, sqliteStore } from './sqlite-store/index.js'
import { threadPort } from './thread-port.js'
import { closeCall, writeCall } from './writer-thread.js'

/** A thread that does nothing but write batches into the index, one after the other, and make the segments they name. */
async function writeBatches(port: NonNullable<typeof parentPort>, file: string): Promise<void> {
  const opening = sqliteStore({ file })
  let gather = segmentGatherer()
  const calls = callsOver(threadPort(port))
  calls.answer(writeCall, async ({ texts, segment, isFirst, ...batch }) => {
    const store = await opening
    if (isFirst) gather = segmentGatherer()
    const prepared = new Map(batch.put.map((note) => [note.id, note]))
    const whole = texts.map((text) => ({ ...text, chunks: contentsOf(prepared.get(text.id)) }))
    return store.commitPrepared({ ...batch, blobs: gather(whole, segment) })
  })
  calls.answer(closeCall, async () => (await opening).close())
  await opening
}

const { writesTo } = (workerData ?? {}) as { writesTo?: string }
if (parentPort !== null && writesTo !== undefined) await writeBatches(parentPort, writesTo)
