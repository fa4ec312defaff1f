import { Failure } from '../errors.js'
import type { FileStamp, JournaledVault, ListingSum, NotePath } from '../vault/index.js'
import { isNote } from '../vault/index.js'
import { discardState } from './index-state.js'
import type { IndexStore, StoredNote } from './index-store.js'
import { IndexCorrupt } from './index-store.js'
import type { EmbeddingProgress, IndexProgress } from './index-view.js'
import type { Freshness } from './search.js'
import type { Embedder } from './semantic/embedder.js'
import type { UnseenChanges } from './unseen-changes.js'
import type { VaultIndex } from './vault-index.js'
import type { IndexStage, StageOptions } from './workers/indexing-worker.js'

/** How much is done where, and how long callers wait. */
const limits = {
  /** Changed files, and bytes of changed notes, that are read in this thread. More are worth another thread. */
  filesHere: 200,
  bytesHere: 1 << 20,
  /** Words of segments that are merged in this thread: some 20 ms. */
  mergedWordsHere: 50_000,
  /** Paths of one change set that are indexed directly, because its planner has just read them. */
  changeSetPaths: 3000,
  /** A vault that is listed within this time is small. */
  listingMs: 20,
  /** A query waits this long for notes to be read: some hundred are by then, and clients do not time out before. */
  queryMs: 2000,
  /** A change waits this long for an update that is already running. Later queries wait for both. */
  changeMs: 2000,
  /** Programs write in bursts: an update starts when the vault has been quiet for this long. */
  quietMs: 300,
}

/** Options of an update of the index. */
export interface UpdateOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
  /** false only projects new notes into the existing semantic model. */
  vectors?: boolean
  /** Called once search by words and links is up to date; vectors follow. */
  onText?: () => void
  /** `text` ends when words and links are up to date, and does nothing if no file has changed. Default `vectors`. */
  wait?: 'text' | 'vectors'
  /** With `wait: 'text'`: relies on the last look at the vault (as by `freshness`) instead of looking again. */
  reusesLook?: boolean
}

export interface BackgroundUpdate {
  /** Resolves when search by words and links is up to date. Rejects if the update fails. */
  text: Promise<void>
  /** Resolves when everything is done, or the notebook is closed. Rejects if the update fails. */
  done: Promise<void>
}

export interface TimeSpent {
  /** Total, including vectors. */
  ms: number
  /** Until search by words and links was up to date. */
  lexicalMs: number
  vectorsMs: number
}

/** Runs stages of indexing one after the other and reports each that is done. */
export type RunStages = (
  stages: readonly IndexStage[],
  options: StageOptions & { onDone?: (stage: IndexStage) => void },
) => Promise<void>

/** A provider's model for the notes of one vault. */
export interface NotebookEmbeddings {
  embedder: Embedder
  /** Returns a test for notes that rules keep from the provider. Called for each run. */
  withheld?(): Promise<(note: StoredNote) => boolean>
}

export interface EmbeddingStatus extends EmbeddingProgress {
  model: string
  /** Why the last run ended before it was complete. */
  failure?: string
}

interface UpdaterSetup {
  readonly vault: JournaledVault
  readonly store: IndexStore
  readonly index: VaultIndex
  readonly runStages: RunStages
  /** The sum of the vault, requested at the start and valid for the first look only. */
  sumAhead?: Promise<ListingSum> | undefined
  rebuiltBecause?: string | undefined
  /** false if the user has switched vectors off: then none are missing. */
  readonly wantsVectors: boolean
  readonly embeddings?: NotebookEmbeddings | undefined
}

/** The setup, and everything an updater remembers between calls. */
interface UpdateState extends UpdaterSetup {
  /** Changes found by the last look at the vault; undefined before the first look and after the vault has changed. */
  unseen?: UnseenChanges | undefined
  /** Number of known changes of the vault: a look that began before the last one is outdated. */
  changes: number
  /** Resolves when all queued work that writes to the index is done. Never rejects. */
  queue: Promise<unknown>
  /** Progress of the notes being read. */
  reading?: { done: number; total: number } | undefined
  /** Why the last update failed, until one succeeds. */
  failure?: string | undefined
  /** The last rebuild after damage, running or done. */
  repair?: Promise<unknown> | undefined
  /** The update that queries wait for, while it runs. Never rejects. */
  catchingUp?: Promise<void> | undefined
  /** Background updates, and the signal that ends them when the notebook is closed. */
  background: Promise<unknown>
  readonly closing: AbortController
  /** The rebuild of lost vectors, while it runs. Never rejects. */
  restoringVectors?: Promise<void> | undefined
  /** The last run of the provider's model, running or done. Never rejects. */
  embedding: Promise<unknown>
  embeddingFailure?: string | undefined
}

/**
 * Keeps the index of an open vault up to date. An update looks at the vault, reads what has changed and computes missing
 * vectors; one at a time writes to the index. A damaged index is discarded and rebuilt, and the work repeated.
 */
export function indexUpdater(setup: UpdaterSetup) {
  const resolved = Promise.resolve()
  const state: UpdateState = {
    ...setup,
    changes: 0,
    queue: resolved,
    embedding: resolved,
    background: resolved,
    closing: new AbortController(),
  }
  return {
    /** Reads all changes and computes all missing vectors. */
    update: (options: UpdateOptions) => updateOrRebuild(state, options),
    /** Discards the index and builds it from the notes. */
    async rebuild(options: UpdateOptions): Promise<TimeSpent> {
      await discardIndex(state, 'you asked for it')
      return updateOrRebuild(state, options)
    },
    updateText: (options: UpdateOptions) => updateText(state, options),
    updateInBackground: (options: UpdateOptions & { rebuild?: boolean }) => updateInBackground(state, options),
    updatePaths: (paths: readonly NotePath[]) => updatePaths(state, paths),
    follow: () => followVault(state),
    /** Waits until the index knows every note. Rejects with `not-ready`, and the progress, if that takes long. */
    ready: () => untilReady(state),
    /** The vault may have changed: the next query checks it again. */
    forgetLook: () => forgetLook(state),
    freshness: () => freshness(state),
    vectorsLostBy: () => vectorsLostBy(state),
    restoreVectors: () => restoreVectors(state),
    withRepair: <T>(query: () => Promise<T>) => withRepair(state, query),
    rebuiltBecause: () => state.rebuiltBecause,
    embed: (options?: Pick<UpdateOptions, 'signal' | 'onProgress'>) => embed(state, options),
    embeddingStatus: () => embeddingStatus(state),
    /** Ends background work and waits for everything that is running. */
    async close(): Promise<void> {
      state.closing.abort()
      const { background, restoringVectors, embedding, catchingUp, queue } = state
      await Promise.all([background, restoringVectors, embedding, catchingUp, queue])
    },
  }
}

interface UpdateWork extends UpdateOptions {
  /** Many files are known to have changed. */
  isLarge?: boolean
  /** Relies on the last look at the vault. */
  asSeen?: boolean
}

/** Updates the index, or starts over with an empty one if it is damaged: the index is a cache. */
async function updateOrRebuild(state: UpdateState, work: UpdateWork): Promise<TimeSpent> {
  try {
    return await updateOnce(state, work)
  } catch (error) {
    if (!(error instanceof IndexCorrupt)) throw error
    await discardIndex(state, error.message)
    return updateOnce(state, { ...work, asSeen: false })
  }
}

async function discardIndex(state: UpdateState, why: string): Promise<void> {
  state.rebuiltBecause = why
  forgetLook(state)
  await discardState(state.store, why)
}

/** One update. It leaves the queue when words and links can be searched; vectors are computed outside the queue. */
async function updateOnce(state: UpdateState, work: UpdateWork): Promise<TimeSpent> {
  const startedAt = performance.now()
  let lexicalAt = startedAt
  const onText = () => {
    lexicalAt = performance.now()
    work.onText?.()
  }
  try {
    const read = (release: () => void) =>
      readAndFinish(state, { ...work, onText }, release).finally(() => {
        state.reading = undefined
      })
    await enqueue(state, read, work.signal)
    state.failure = undefined
  } catch (error) {
    if (!work.signal?.aborted) state.failure = error instanceof Error ? error.message : String(error)
    throw error
  }
  const endedAt = performance.now()
  return {
    ms: Math.round(endedAt - startedAt),
    lexicalMs: Math.round(lexicalAt - startedAt),
    vectorsMs: Math.round(endedAt - lexicalAt),
  }
}

/**
 * Runs work when nothing else of this process writes to the index: concurrent writers would invalidate each other's
 * commits and read the same notes again. The next work starts when this ends or calls `release`. The signal ends the
 * wait for earlier work.
 */
function enqueue<T>(state: UpdateState, work: (release: () => void) => Promise<T>, signal?: AbortSignal): Promise<T> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const before = state.queue
  const done = unlessAborted(before, signal).then(() => work(release))
  // The caller gets the failure through `done`; the queue continues.
  state.queue = Promise.all([before, Promise.race([released, done]).catch(() => undefined)])
  return done
}

async function unlessAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return void (await work)
  signal.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort)
  })
  await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

async function readAndFinish(state: UpdateState, work: UpdateWork, release: () => void): Promise<void> {
  const { index, runStages } = state
  const { signal, vectors = true } = work
  const { changes } = state
  const isEmpty = await index.isEmpty()
  const found = work.asSeen
    ? await lookForChanges(state)
    : work.isLarge
      ? undefined
      : await lookNow(state, isEmpty, signal)
  const left = found?.count ?? Number.POSITIVE_INFINITY
  const onProgress = (progress: IndexProgress) => {
    if (progress.phase === 'reading') state.reading = { done: progress.done, total: progress.total }
    work.onProgress?.(progress)
  }
  const textIsDone = () => {
    state.reading = undefined
    state.unseen = state.changes === changes ? nothingUnseen : undefined
    work.onText?.()
  }
  const onDone = (stage: IndexStage) => {
    if (stage === 'vectors') return
    textIsDone()
    release()
  }
  const run = (...stages: IndexStage[]) => runStages(stages, { signal, onProgress, vectors, onDone })
  if (left > limits.filesHere || noteBytes(found) > limits.bytesHere) {
    // Two stages free much memory between them; a small amount of work is done by one thread.
    await (isEmpty || vectors ? run('read', 'vectors') : run('both'))
    if (state.unseen !== nothingUnseen && state.changes === changes) textIsDone()
  } else {
    if (left > 0) await index.readChanges({ signal, onProgress, unseen: found })
    textIsDone()
    if (vectors && !(await index.hasAllVectors())) {
      release()
      await run('vectors')
    } else await finishVectors(state, { signal, onProgress })
  }
}

const nothingUnseen: UnseenChanges = { count: 0, generation: -1, changed: [], gone: [], disk: [], known: [] }

const noteBytes = (found: UnseenChanges | undefined): number =>
  (found?.changed ?? []).reduce((sum, { path, size }) => sum + (isNote(path) ? size : 0), 0)

/** undefined for a new index of a vault that cannot be listed quickly. */
async function lookNow({ vault, index }: UpdateState, isEmpty: boolean, signal: AbortSignal | undefined) {
  if (!isEmpty) return index.unseenChanges({ signal })
  const files = await listWithTimeout(vault, signal)
  return files && index.unseenChanges({ files })
}

/** All files of a vault; undefined if listing them takes longer than `limits.listingMs`. */
async function listWithTimeout(
  vault: Pick<JournaledVault, 'eachFile'>,
  signal: AbortSignal | undefined,
): Promise<FileStamp[] | undefined> {
  const enough = new AbortController()
  const stop = () => enough.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limits.listingMs)
  })
  const files: FileStamp[] = []
  const listing = vault.eachFile((file) => files.push(file), enough.signal).then(() => files)
  // After a timeout nobody awaits the listing, which the abort below rejects.
  listing.catch(() => undefined)
  try {
    return await Promise.race([listing, late])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    enough.abort()
  }
}

/** Changes that the index has not seen. The result is remembered until the vault changes. */
async function lookForChanges(state: UpdateState): Promise<UnseenChanges> {
  if (state.unseen !== undefined) return state.unseen
  const { sumAhead: sum, changes } = state
  state.sumAhead = undefined
  const found = await state.index.unseenChanges({ sum })
  // Only the count of many changes is kept: another thread, which lists them again, will read them.
  const seen = found.count > 0 && found.count <= limits.filesHere ? found : { ...nothingUnseen, count: found.count }
  if (state.changes === changes) state.unseen = seen
  return seen
}

function forgetLook(state: UpdateState): void {
  state.unseen = undefined
  state.changes++
}

async function updateText(state: UpdateState, { reusesLook, ...options }: UpdateOptions): Promise<void> {
  if (!reusesLook) forgetLook(state)
  const { count } = await withRepair(state, () => lookForChanges(state))
  if (count > 0) await updateOrRebuild(state, { ...options, asSeen: true, vectors: false })
}

function updateInBackground(
  state: UpdateState,
  { rebuild, ...options }: UpdateOptions & { rebuild?: boolean },
): BackgroundUpdate {
  let textIsDone = () => {}
  const onText = new Promise<void>((resolve) => {
    textIsDone = resolve
  })
  const update = async () => {
    if (rebuild) await discardIndex(state, 'you asked for it')
    await updateOrRebuild(state, { ...options, onText: textIsDone, signal: state.closing.signal })
  }
  const updated = state.background.then(() => withRepair(state, update))
  const text = Promise.race([onText, updated])
  const done = updated.catch((error) => {
    if (!state.closing.signal.aborted) throw error
  })
  // Callers may ignore either promise; those that await one handle the failure.
  state.background = Promise.all([text, done]).catch(() => undefined)
  return { text, done }
}

/**
 * Indexes files that a change set has just written. Failures are not reported, because the notes are written: the next
 * look at the vault finds what is missing.
 */
async function updatePaths(state: UpdateState, paths: readonly NotePath[]): Promise<void> {
  let begun = () => {}
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const indexed = indexPaths(state, paths, begun).catch(() => forgetLook(state))
  if (await withinMs(limits.changeMs, Promise.race([isBegun, indexed]))) await indexed
}

function indexPaths(state: UpdateState, paths: readonly NotePath[], begun: () => void): Promise<unknown> {
  if (paths.length > limits.changeSetPaths) return updateOrRebuild(state, { vectors: false, isLarge: true })
  return withRepair(state, () =>
    enqueue(state, async () => {
      begun()
      await state.index.indexPaths(paths)
      await finishVectors(state, {})
    }),
  )
}

/** Projects new notes and merges segments, in this thread unless the merge would block it for long. */
async function finishVectors(
  { index, runStages }: UpdateState,
  options: Pick<UpdateOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  const isDone = await index.updateVectors({ ...options, fit: false, mergesUpTo: limits.mergedWordsHere })
  if (!isDone) await runStages(['vectors'], { ...options, vectors: false })
}

/** Updates the index, and then a provider's vectors, whenever the vault has changed. Returns a stop function. */
function followVault(state: UpdateState): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopping = new AbortController()
  const update = () => {
    // Errors are ignored here: `unseen` stays unknown, so the next query updates again and reports them.
    state.background = state.background
      .then(() => updateOrRebuild(state, { signal: stopping.signal }))
      .then(
        () => embedInBackground(state),
        () => undefined,
      )
  }
  // A failed update is reported by the next query.
  state.background.then(() => embedInBackground(state)).catch(() => undefined)
  const stopWatching = state.vault.watch(() => {
    forgetLook(state)
    clearTimeout(timer)
    timer = setTimeout(update, limits.quietMs)
  })
  return () => {
    clearTimeout(timer)
    stopWatching()
    stopping.abort()
  }
}

async function untilReady(state: UpdateState): Promise<void> {
  if (!(await withinMs(limits.queryMs, readAllChanges(state)))) throw notReady(state)
}

async function readAllChanges(state: UpdateState): Promise<void> {
  await state.queue
  if ((await lookForChanges(state)).count === 0) return
  state.catchingUp ??= catchUp(state)
  await state.catchingUp
  if (state.failure !== undefined) throw notReady(state)
}

/** Never rejects: the failure is kept in the state and reported to every query that waits. */
function catchUp(state: UpdateState): Promise<void> {
  const end = () => {
    state.catchingUp = undefined
  }
  return updateOrRebuild(state, { asSeen: true, vectors: false, signal: state.closing.signal }).then(end, end)
}

function notReady({ reading, unseen, failure }: UpdateState): Failure {
  const hint = 'Try again in a few seconds.'
  if (reading === undefined && failure !== undefined) {
    return new Failure('not-ready', `The index is not up to date: ${failure}`, {
      hint,
      data: { retryable: true },
    })
  }
  const total = reading?.total ?? unseen?.count
  const progress = reading && `Indexing: ${grouped(reading.done)} of ${grouped(reading.total)} notes.`
  return new Failure('not-ready', progress ?? 'Indexing has started.', {
    hint,
    data: { retryable: true, ...(total !== undefined && { done: reading?.done ?? 0, total }) },
  })
}

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** Returns whether work is done within this time. It continues if not. */
async function withinMs(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  // After a timeout nobody awaits the work; its owner reports the failure.
  work.catch(() => undefined)
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}

async function freshness(state: UpdateState): Promise<Freshness> {
  const { count } = await lookForChanges(state)
  const left = state.reading ? state.reading.total - state.reading.done : count
  if (count > 0) return `catching up (${Math.max(1, left)} left)`
  return (await vectorsLostBy(state)) === undefined ? 'fresh' : 'without vectors'
}

async function vectorsLostBy(state: UpdateState): Promise<string | undefined> {
  return state.wantsVectors ? state.index.vectorsLostBy() : undefined
}

/** Computes lost vectors in the background. */
function restoreVectors(state: UpdateState): void {
  const end = () => {
    state.restoringVectors = undefined
  }
  state.restoringVectors ??= state
    .runStages(['vectors'], { vectors: true, signal: state.closing.signal })
    .then(end, end)
}

/**
 * Runs a query, and repeats it after a rebuild if the index turns out to be damaged. Queries wait until the rebuild is
 * done, and one that was running during a rebuild is repeated, too.
 */
async function withRepair<T>(state: UpdateState, query: () => Promise<T>): Promise<T> {
  for (let isSecond = false; ; isSecond = true) {
    await state.repair
    const before = state.repair
    try {
      const answer = await query()
      if (state.repair === before) return answer
    } catch (error) {
      if (!(error instanceof IndexCorrupt) || isSecond) throw error
      if (state.repair === before) beginRepair(state, error)
    }
  }
}

function beginRepair(state: UpdateState, damage: IndexCorrupt): void {
  const repair = discardIndex(state, damage.message).then(() => updateOnce(state, { vectors: false }))
  state.repair = repair
  // Queries that wait for it get the failure; later ones try again.
  repair.catch(() => {
    if (state.repair === repair) state.repair = undefined
  })
}

/** Requests missing vectors from the provider. Runs are serial: a second one finds what the first has computed. */
function embed(state: UpdateState, options: Pick<UpdateOptions, 'signal' | 'onProgress'> = {}): Promise<void> {
  const run = async () => {
    state.embeddingFailure = undefined
    try {
      await state.index.embed({ ...options, isWithheld: await state.embeddings?.withheld?.(), yieldEveryMs: 50 })
    } catch (error) {
      if (!options.signal?.aborted) state.embeddingFailure = error instanceof Error ? error.message : String(error)
      throw error
    }
  }
  const done = state.embedding.then(run)
  // The caller gets the failure through `done`; the next run is not affected.
  state.embedding = done.catch(() => undefined)
  return done
}

/** Failures are reported by `status`. */
function embedInBackground(state: UpdateState): void {
  if (state.embeddings !== undefined) embed(state, { signal: state.closing.signal }).catch(() => undefined)
}

async function embeddingStatus(state: UpdateState): Promise<EmbeddingStatus | undefined> {
  const progress = await state.index.embeddingProgress()
  if (state.embeddings === undefined || progress === undefined) return undefined
  const { embeddingFailure: failure } = state
  return { model: state.embeddings.embedder.id, ...progress, ...(failure !== undefined && { failure }) }
}
