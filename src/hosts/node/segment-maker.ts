import { parentPort, workerData } from 'node:worker_threads'
import { rpcOverPort, segmentCollector } from '../../core/index/index.js'
import { gatherCall, threadPort } from './threads.js'

/** A thread that receives texts and makes one segment of them. */
function makeSegments(port: NonNullable<typeof parentPort>): void {
  const gather = segmentCollector()
  rpcOverPort(threadPort(port)).answer(gatherCall, ({ texts, segment }) => gather(texts, segment))
}

if (parentPort !== null && (workerData as { makesSegments?: true })?.makesSegments) makeSegments(parentPort)
