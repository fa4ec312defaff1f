import { rpcOverPort, runInWorker, serveVault, type ThreadPort } from '../../src/core/index/index.js'
import { memoryVault } from '../../src/core/vault/index.js'
import type { IndexedNotes } from './indexed-notes.js'
import { searchCall } from './search-call.js'

/** Globals of a page that the core does not use. */
interface Page {
  Worker: new (url: string, options: { type: 'module' }) => ThreadPort
  PerformanceObserver: new (
    see: (list: { getEntries(): { duration: number }[] }) => void,
  ) => { observe(options: { entryTypes: string[] }): void }
  fetch(url: string): Promise<{ json(): Promise<{ notes: Record<string, string>; queries: string[] }> }>
  indexNotes(): Promise<InBrowser>
}

export interface InBrowser extends IndexedNotes {
  /** Milliseconds of each task of the page that took more than 50. */
  longTasks: number[]
  /** Types of Node's globals on this page: all `undefined`. */
  nodeGlobals: string[]
}

const here = globalThis as unknown as Page

/** The page has the vault, the worker everything else. Called by the test. */
here.indexNotes = async () => {
  const { notes, queries } = await (await here.fetch('given.json')).json()
  const vault = memoryVault({ files: notes, now: () => 0 })
  await pause(200)
  const longTasks: number[] = []
  new here.PerformanceObserver((list) => {
    longTasks.push(...list.getEntries().map(({ duration }) => duration))
  }).observe({ entryTypes: ['longtask'] })
  const worker = rpcOverPort(new here.Worker('worker.js', { type: 'module' }))
  serveVault(worker, vault)
  const started = performance.now()
  await runInWorker(worker, 'both', { vectors: true })
  const ms = performance.now() - started
  await pause(200)
  const seen = [...longTasks]
  const answers = await worker.ask(searchCall, queries)
  const { process, Buffer } = globalThis as { process?: unknown; Buffer?: unknown }
  return { ms, answers, longTasks: seen, nodeGlobals: [typeof process, typeof Buffer] }
}

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms))
