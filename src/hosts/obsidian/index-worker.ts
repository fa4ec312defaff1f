import type { Workspace } from 'obsidian'
import type { IndexStage, IndexStore, RunStages, StageOptions, ThreadPort } from '../../core/index/index.js'
import {
  indexingWorker,
  pauseGate,
  remoteVault,
  rpcOverPort,
  runInWorker,
  runStage,
  serveVault,
  setWorkerPaused,
} from '../../core/index/index.js'
import type { VaultReader } from '../../core/vault/index.js'
import { indexedDbStore } from './index-store.js'

/** The worker's side: the plugin's file calls this when it runs as a worker. */
export function startIndexing(port: ThreadPort, index: string): void {
  const page = rpcOverPort(port)
  const vault = remoteVault(page)
  indexingWorker(page, async () => {
    const store = await indexedDbStore(index)
    return { vault, store, close: () => store.close() }
  })
}

export interface WorkerSetup {
  vault: VaultReader
  store: IndexStore
  /** The workspace whose windows are checked for visibility. */
  workspace: Workspace
  /** Name of the database that the index is in. */
  index: string
  /** The plugin's own file: it is the worker's, too, so that nothing ships twice. */
  code: () => Promise<string>
}

/**
 * Indexes in a worker that reads the vault of this page. Without workers, indexes here in small steps. Both pause while
 * the app is hidden.
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
  const rest = pauseGate()
  const end = whenHidden(workspace, (isHidden) => rest.want(isHidden))
  const resting = () => rest.over(options.signal)
  return { stage: (stage) => runStage(stage, { vault, store }, { ...options, yieldEveryMs: 10, paused: resting }), end }
}

function elsewhere({ vault, workspace }: WorkerSetup, options: StageOptions, worker: Worker): Run {
  const calls = rpcOverPort(worker)
  worker.onerror = (event) => calls.end(new Error(event.message || 'The indexing worker ended.'))
  serveVault(calls, vault)
  const endRests = whenHidden(workspace, (isHidden) => setWorkerPaused(calls, isHidden))
  // Safe at any moment: commits are atomic.
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
    // The app's module is missing here, and the plugin only runs the function called at the end.
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

/** Reports whether all windows of the app are hidden, now and on changes. Returns a stop function. */
export function whenHidden(workspace: Workspace, tell: (isHidden: boolean) => void): () => void {
  const windows = new Set<Document>()
  const look = () => tell([...windows].every(({ visibilityState }) => visibilityState === 'hidden'))
  const add = (one: Document) => {
    windows.add(one)
    one.addEventListener('visibilitychange', look)
  }
  const drop = (one: Document) => {
    windows.delete(one)
    one.removeEventListener('visibilitychange', look)
  }
  add(document)
  workspace.iterateAllLeaves(({ view }) => add(view.containerEl.ownerDocument))
  const refs = [
    workspace.on('window-open', (_, opened) => {
      add(opened.document)
      look()
    }),
    workspace.on('window-close', (_, closed) => {
      drop(closed.document)
      look()
    }),
  ]
  look()
  return () => {
    for (const ref of refs) workspace.offref(ref)
    for (const one of [...windows]) drop(one)
  }
}
