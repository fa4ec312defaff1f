import type { Workspace } from 'obsidian'
import type { RunStages } from '../../core/notebook/index.js'
import type { VaultReading } from '../../core/vault/index.js'
import {
  callsOver,
  type IndexStage,
  type IndexStore,
  indexingWorker,
  letRest,
  remoteReading,
  restingPlace,
  runInWorker,
  runStage,
  type StageOptions,
  serveReading,
  type ThreadPort,
} from '../../core/vault-index/index.js'
import { indexedDbStore } from './index-store/index.js'
import { whenHidden } from './when-hidden.js'

/** The side that works: what the plugin's file calls when it is run as a worker. */
export function startIndexing(port: ThreadPort, index: string): void {
  const page = callsOver(port)
  const vault = remoteReading(page)
  indexingWorker(page, async () => {
    const store = await indexedDbStore(index)
    return { vault, store, close: () => store.close() }
  })
}

export interface WorkerSetup {
  vault: VaultReading
  store: IndexStore
  /** Whose windows may all be hidden. */
  workspace: Workspace
  /** Name of the database that the index is in. */
  index: string
  /** The plugin's own file: it is the worker's, too, so that nothing ships twice. */
  code: () => Promise<string>
}

/**
 * Makes the index in a worker that reads the vault of this page. Where there can be none, it is made here, in small steps.
 * Either rests while the app is hidden, as in a pocket.
 */
export function runInWebWorker(setup: WorkerSetup): RunStages {
  return async (stages, { onDone, ...options }) => {
    const worker = await openWorker(setup.code, setup.index)
    if (options.signal?.aborted) worker?.terminate()
    options.signal?.throwIfAborted()
    const run = worker === undefined ? here(setup, options) : elsewhere(setup, options, worker)
    try {
      for (const stage of stages) {
        await run.stage(stage)
        onDone?.(stage)
      }
    } finally {
      run.end()
    }
  }
}

interface Run {
  stage(stage: IndexStage): Promise<void>
  end(): void
}

function here({ vault, store, workspace }: WorkerSetup, options: StageOptions): Run {
  const rest = restingPlace()
  const end = whenHidden(workspace, (isHidden) => rest.want(isHidden))
  const resting = () => rest.over(options.signal)
  return { stage: (stage) => runStage(stage, { vault, store }, { ...options, yieldEveryMs: 10, resting }), end }
}

function elsewhere({ vault, workspace }: WorkerSetup, options: StageOptions, worker: Worker): Run {
  const calls = callsOver(worker)
  worker.onerror = (event) => calls.end(new Error(event.message || 'The indexing worker ended.'))
  serveReading(calls, vault)
  const endRests = whenHidden(workspace, (isHidden) => letRest(calls, isHidden))
  // In the middle of whatever it does: a commit is whole or is not.
  const stop = () => {
    worker.terminate()
    calls.end(options.signal?.reason as Error)
  }
  options.signal?.addEventListener('abort', stop, { once: true })
  return {
    stage: (stage) => runInWorker(calls, stage, options),
    end() {
      options.signal?.removeEventListener('abort', stop)
      endRests()
      worker.terminate()
    },
  }
}

async function openWorker(code: () => Promise<string>, index: string): Promise<Worker | undefined> {
  let address: string | undefined
  try {
    // The app's module is not there, and of the plugin nothing runs but what is called at the end.
    const before =
      'const module = { exports: {} }, exports = module.exports;\nconst require = () => new Proxy({}, { get: () => class {} });\n'
    const after = `\n;module.exports.startIndexing(self, ${JSON.stringify(index)});`
    address = URL.createObjectURL(new Blob([before, await code(), after], { type: 'text/javascript' }))
    return new Worker(address)
  } catch {
    return undefined
  } finally {
    if (address !== undefined) URL.revokeObjectURL(address)
  }
}
