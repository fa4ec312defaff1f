import type { Worker } from 'node:worker_threads'
import type { RunStages } from '../../core/notebook/index.js'
import { callsOver, runInWorker } from '../../core/vault-index/index.js'
import type { NotebookSettings } from './open-parts.js'
import { readerLimits, threadArguments, threadFile } from './thread-file.js'
import { threadPort } from './thread-port.js'

/**
 * Runs stages of indexing, each in a thread of its own with its own connection to the same store, so that this one
 * stays free to answer. What reading took in memory is given back before the vectors take theirs: a thread ends once the
 * next one has begun, because the C library gives a beginning thread the memory of the one that ended last. That has to
 * be the one that made the segments, which the reading thread has ended before itself. undefined when run from source.
 */
export function runInThreads(settings: NotebookSettings): RunStages | undefined {
  const file = threadFile('index-worker')
  return file && ((stages, options) => runEach(file, settings, stages, options))
}

async function runEach(
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
      const calls = callsOver(threadPort(thread))
      thread.on('error', calls.end)
      thread.on('exit', () => calls.end(new Error('The indexing thread ended before its work was done.')))
      await runInWorker(calls, stage, options)
      options.onDone?.(stage)
    }
  } finally {
    for (const thread of threads) await thread.terminate()
  }
}
