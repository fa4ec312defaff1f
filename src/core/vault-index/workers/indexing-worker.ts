import type { IndexProgress } from '../catch-up.js'
import type { VaultIndexSetup } from '../open-vault-index.js'
import { type Calls, call } from './calls.js'
import { type IndexStage, runStage, type StageOptions } from './index-stage.js'
import { restingPlace } from './resting-place.js'

const restCall = call<boolean, void>('rest')
const indexCall = call<{ stage: IndexStage; vectors: boolean }, void, IndexProgress>('index')

/** What a stage works with: a vault read from here or from afar, and the store the index is kept in. */
export interface IndexingSetup extends VaultIndexSetup {
  close?: () => Promise<void>
}

/** The side that works: reads, parses, makes segments and vectors and commits them, a stage whenever it is asked. */
export function indexingWorker(calls: Calls, open: (stage: IndexStage) => Promise<IndexingSetup>): void {
  const rest = restingPlace()
  calls.answer(restCall, (isWanted) => rest.want(isWanted))
  calls.answer(indexCall, async ({ stage, vectors }, { signal, tell }) => {
    const { close, ...setup } = await open(stage)
    const resting = () => rest.over(signal)
    try {
      await resting()
      await runStage(stage, setup, { vectors, signal, onProgress: seldom(tell), yieldEveryMs: 50, resting })
    } finally {
      await close?.()
    }
  })
}

/** The side that waits: it stays free to answer meanwhile. */
export function runInWorker(calls: Calls, stage: IndexStage, options: StageOptions): Promise<void> {
  const { vectors, signal, onProgress } = options
  return calls.ask(indexCall, { stage, vectors }, { signal, onPart: onProgress })
}

/** Tells the side that works to rest, or to go on. */
export function letRest(calls: Calls, isResting: boolean): void {
  // A worker that is gone rests, too.
  calls.ask(restCall, isResting).catch(() => undefined)
}

/** More often than eyes can follow, news would only take time from the work. What ends a phase is always told. */
const newsEveryMs = 50

function seldom(tell: (progress: IndexProgress) => void): (progress: IndexProgress) => void {
  let last = 0
  return (progress) => {
    const now = performance.now()
    if (now - last < newsEveryMs && progress.done !== 0 && progress.done !== progress.total) return
    last = now
    tell(progress)
  }
}
