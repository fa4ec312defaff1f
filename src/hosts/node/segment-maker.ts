import { parentPort, workerData } from 'node:worker_threads'
import { callsOver, segmentGatherer } from '../../core/vault-index/index.js'
import { gatherCall } from './segment-thread.js'
import { threadPort } from './thread-port.js'

/** A thread that takes in texts and makes one segment of them. */
function makeSegments(port: NonNullable<typeof parentPort>): void {
  const gather = segmentGatherer()
  callsOver(threadPort(port)).answer(gatherCall, ({ texts, segment }) => gather(texts, segment))
}

if (parentPort !== null && (workerData as { makesSegments?: true })?.makesSegments) makeSegments(parentPort)
