import type { IndexProgress, WorkOptions } from '../index-view.js'
import { openVaultIndex, type VaultIndexSetup } from '../vault-index.js'
import { type Rpc, rpcMethod } from './rpc-over-port.js'

const restCall = rpcMethod<boolean, void>('rest')
const indexCall = rpcMethod<{ stage: IndexStage; vectors: boolean }, void, IndexProgress>('index')

/** The vault (local or remote) and the store that a stage works on. */
interface IndexingSetup extends VaultIndexSetup {
  close?: () => Promise<void>
}

/** The worker's side: runs a stage (reading, parsing, segments, vectors, commits) per call. */
export function indexingWorker(calls: Rpc, open: (stage: IndexStage) => Promise<IndexingSetup>): void {
  const rest = pauseGate()
  calls.answer(restCall, (isWanted) => rest.want(isWanted))
  calls.answer(indexCall, async ({ stage, vectors }, { signal, tell }) => {
    const { close, ...setup } = await open(stage)
    const resting = () => rest.over(signal)
    try {
      await resting()
      await runStage(stage, setup, { vectors, signal, onProgress: throttled(tell), yieldEveryMs: 50, paused: resting })
    } finally {
      await close?.()
    }
  })
}

/** The caller's side: its thread stays responsive. */
export function runInWorker(calls: Rpc, stage: IndexStage, options: StageOptions): Promise<void> {
  const { vectors, signal, onProgress } = options
  return calls.ask(indexCall, { stage, vectors }, { signal, onPart: onProgress })
}

/** Pauses or resumes the worker. */
export function setWorkerPaused(calls: Rpc, isResting: boolean): void {
  // An ended worker needs no pause.
  calls.ask(restCall, isResting).catch(() => undefined)
}

/** Progress is throttled; the start and end of a phase are always reported. */
const progressEveryMs = 50

function throttled(tell: (progress: IndexProgress) => void): (progress: IndexProgress) => void {
  let last = 0
  return (progress) => {
    const now = performance.now()
    if (now - last < progressEveryMs && progress.done !== 0 && progress.done !== progress.total) return
    last = now
    tell(progress)
  }
}

/** A whole update of the index, or one half: reading changes, or computing vectors. */
export type IndexStage = 'read' | 'vectors' | 'both'

export interface StageOptions extends WorkOptions {
  /** false only projects new notes into the existing model, without fitting one. */
  vectors: boolean
}

export async function runStage(
  stage: IndexStage,
  setup: VaultIndexSetup,
  { vectors, ...options }: StageOptions,
): Promise<void> {
  const index = await openVaultIndex(setup)
  if (stage !== 'vectors') await index.readChanges(options)
  if (stage !== 'read') await index.updateVectors({ ...options, fit: vectors })
}

/** A gate that pauses work while requested. */
export function pauseGate() {
  let waiting: Promise<void> | undefined
  let resume = () => {}
  return {
    want(this: void, isWanted: boolean): void {
      resume()
      waiting = undefined
      if (isWanted) {
        waiting = new Promise((resolve) => {
          resume = resolve
        })
      }
    },
    /** undefined if work may continue. An aborted call does not wait. */
    over(signal?: AbortSignal): Promise<void> | undefined {
      if (waiting === undefined || signal?.aborted) return undefined
      return Promise.race([
        waiting,
        new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
      ])
    },
  }
}
