import { Failure } from '../errors.js'
import {
  type AppliedChangeSet,
  type ApplyProgress,
  type ChangeSet,
  type ChooseConflict,
  type HistoryEntry,
  type JournaledVault,
  type NotePath,
  notePath,
} from '../vault/index.js'
import { markVectorsLost } from './index-state.js'
import type { IndexStore } from './index-store.js'
import type { IndexCounts, NoteIndex, UpdatableIndex } from './note-index.js'
import type { Freshness, SearchAnswer, SearchHit, SearchRequest } from './search.js'
import {
  type BackgroundUpdate,
  type EmbeddingStatus,
  indexUpdater,
  type NotebookEmbeddings,
  type RunStages,
  type TimeSpent,
  type UpdateOptions,
} from './update.js'
import { openVaultIndex, type VaultIndex, type VaultIndexSetup } from './vault-index.js'
import { runStage } from './workers/indexing-worker.js'

/** One open vault with its index and its history, used by every front end. */
export interface Notebook {
  readonly vault: JournaledVault
  /** The index, as tools see it too. A damaged one is rebuilt before a query is answered. */
  readonly index: UpdatableIndex
  /** Updates the index, in other threads if there is much to do and the host has them. */
  update(options: UpdateOptions & { wait: 'text' }): Promise<undefined>
  update(options?: UpdateOptions & { wait?: 'vectors' }): Promise<IndexReport>
  /** Starts an update that ends with the notebook; callers need not wait for it. `rebuild` discards the index first. */
  updateInBackground(options?: Pick<UpdateOptions, 'onProgress' | 'vectors'> & { rebuild?: boolean }): BackgroundUpdate
  /** Discards the index and builds it again from the notes. */
  rebuild(options?: UpdateOptions): Promise<IndexReport>
  freshness(): Promise<Freshness>
  /** Writes the changes, and updates the index before it returns. */
  apply: (changeSet: ChangeSet, onProgress?: ApplyProgress) => Promise<AppliedChangeSet>
  /** Newest first. */
  history(options?: {
    session?: string | undefined
    note?: string | undefined
    limit?: number
  }): Promise<HistoryEntry[]>
  planUndo(
    which: { id?: string | undefined; session?: string | undefined; note?: string | undefined },
    choose?: ChooseConflict,
  ): Promise<ChangeSet>
  /** Interrupted change sets that are not resolved yet; `vault.planResolution` decides about their notes. */
  undecidedChanges(): Promise<HistoryEntry[]>
  /** A sentence about the newest change if a crash interrupted it, for the first line of a front end. */
  recoveryNotice(): Promise<string | undefined>
  status(): Promise<NotebookStatus>
  /** Requests missing vectors from the provider's model, if one is configured. */
  embed(options?: Pick<UpdateOptions, 'signal' | 'onProgress'>): Promise<void>
  /** Keeps the index up to date while the vault changes, then the provider's vectors. Returns a stop function. */
  follow(): () => void
  close(): Promise<void>
}

/** Counts and times of an update of the index. */
export interface IndexReport extends Required<IndexCounts>, TimeSpent {}

/** The state of the index, for `status` and settings. */
export interface NotebookStatus {
  notes: number
  chunks: number
  links: number
  unresolved: number
  freshness: Freshness
  /** True if every note has its semantic vectors, or the vault is too small to need them. */
  hasAllVectors: boolean
  /** Progress of the provider's model, if one is configured. */
  embeddings?: EmbeddingStatus
  /** Files and folders that could not be read. */
  skipped: { path: string; reason: string }[]
  /** The damage that cost the vectors, until they are restored. */
  vectorsLostBy?: string
  /** Why an earlier index could not be used and was rebuilt. */
  rebuiltBecause?: string
}

/** The vault and store of a notebook, and where large work runs. */
export interface NotebookSetup {
  vault: JournaledVault
  /** Closed with the notebook, and if it cannot be opened. */
  store: IndexStore
  /** Runs large work elsewhere, so that this thread stays responsive. Default: in this thread. */
  runStages?: RunStages | undefined
  /** Creates the writer for the notes of a change set. Default: in this thread. */
  newWriter?: VaultIndexSetup['newWriter']
  /** Lists the vault while the index is being opened: for callers that search at once. */
  listsAhead?: boolean | undefined
  /** Why the store had to be created again, if it was. */
  rebuiltBecause?: string | undefined
  /** false if the user has switched vectors off. Default true. */
  wantsVectors?: boolean | undefined
  /** A provider's model whose vectors join the ranking. */
  embeddings?: NotebookEmbeddings | undefined
}

/** Opens a vault with its index. Call `update()` to read its notes. */
export async function openNotebook(setup: NotebookSetup): Promise<Notebook> {
  const { vault, store } = setup
  const { index, updater } = await openUpdater(setup).catch(async (error) => {
    await store.close()
    throw error
  })
  const { withRepair } = updater

  async function report(spent: TimeSpent): Promise<IndexReport> {
    const { notes, chunks, links } = await index.counts()
    return { notes, chunks, links, skipped: await index.skipped(), ...spent }
  }

  function update(options: UpdateOptions & { wait: 'text' }): Promise<undefined>
  function update(options?: UpdateOptions): Promise<IndexReport>
  async function update(options: UpdateOptions = {}): Promise<IndexReport | undefined> {
    if (options.wait === 'text') return void (await updater.updateText(options))
    return withRepair(async () => report(await updater.update(options)))
  }

  return {
    vault,
    index: { ...queriesOf(vault, index, updater), update: (options) => update(options) },
    update,
    updateInBackground: (options = {}) => updater.updateInBackground(options),
    rebuild: (options = {}) => withRepair(async () => report(await updater.rebuild(options))),
    freshness: () => withRepair(updater.freshness),
    async apply(changeSet, onProgress) {
      const applied = await vault.apply(changeSet, onProgress)
      const paths = applied.changes.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]))
      await updater.updatePaths([...new Set(paths)].filter(isVisible))
      return applied
    },
    history: (options) => history(vault, options),
    planUndo: (which, choose) => planVaultUndo(vault, which, choose),
    undecidedChanges: () => undecidedChanges(vault),
    recoveryNotice: () => recoveryNotice(vault),
    embed: updater.embed,
    status: () => withRepair(() => status(index, updater)),
    follow: updater.follow,
    async close() {
      try {
        await updater.close()
      } finally {
        await store.close()
      }
    },
  }
}

type Updater = ReturnType<typeof indexUpdater>

async function openUpdater(setup: NotebookSetup): Promise<{ index: VaultIndex; updater: Updater }> {
  const { vault, store, runStages, newWriter, listsAhead, rebuiltBecause, wantsVectors = true, embeddings } = setup
  if (rebuiltBecause !== undefined) await markVectorsLost(store, rebuiltBecause)
  const opening = openVaultIndex({ vault, store, newWriter, embedder: embeddings?.embedder })
  const sumAhead = listsAhead ? vault.sum() : undefined
  // The first look at the vault, which awaits it, reports the failure.
  sumAhead?.catch(() => undefined)
  const runHere: RunStages = async (stages, { onDone, ...options }) => {
    for (const stage of stages) {
      await runStage(stage, { vault, store }, options)
      onDone?.(stage)
    }
  }
  const index = await opening
  const updater = indexUpdater({
    vault,
    store,
    index,
    runStages: runStages ?? runHere,
    sumAhead,
    rebuiltBecause,
    wantsVectors,
    embeddings,
  })
  return { index, updater }
}

/** Files in the trash, or restored from it, have names that the index never sees. */
const isVisible = (path: NotePath): boolean => !path.split('/').some((segment) => segment.startsWith('.'))

/**
 * The queries of the index. Each waits until every note is read, so that no note is reported missing that is only
 * unread; is repeated after a rebuild; and fails while the vault's rules are unreadable. A new query gets all this by
 * being in `NoteIndex`.
 */
function queriesOf(vault: JournaledVault, index: VaultIndex, updater: Updater): NoteIndex {
  const whenReady = async <Answer>(query: () => Promise<Answer>): Promise<Answer> => {
    await updater.ready()
    return query()
  }
  /** Links are rewritten from the index, so the vault is checked again. */
  const whenChecked = <Answer>(query: () => Promise<Answer>): Promise<Answer> => {
    updater.forgetLook()
    return whenReady(query)
  }
  const asQuery =
    <Given extends unknown[], Answer>(query: (...given: Given) => Promise<Answer>, run = whenReady<Answer>) =>
    (...given: Given): Promise<Answer> =>
      updater.withRepair(async () => {
        await vault.checkRules()
        return run(() => query(...given))
      })
  return {
    search: asQuery(
      (request) => searchWhenReady(vault, index, updater, request),
      (query) => query(),
    ),
    find: asQuery(index.find),
    note: asQuery(index.note),
    notesAt: asQuery(index.notesAt),
    notes: asQuery(index.notes),
    files: asQuery(index.files),
    tags: asQuery(index.tags),
    linksFrom: asQuery(index.linksFrom),
    linksTo: asQuery(index.linksTo),
    unresolved: asQuery(index.unresolved),
    orphans: asQuery(index.orphans),
    related: asQuery(index.related),
    planMove: asQuery(index.planMove, whenChecked),
    planMoves: asQuery(index.planMoves, whenChecked),
    links: asQuery(index.links),
    linkReading: asQuery(index.linkReading),
    planRepairs: asQuery(index.planRepairs, whenChecked),
    planRestructure: asQuery(index.planRestructure, whenChecked),
  }
}

/**
 * Searches, and reports how fresh the index is. An index that was complete before is searched even if reading the
 * changes takes long, but then an empty result is reported as `not-ready`.
 */
async function searchWhenReady(
  vault: JournaledVault,
  index: VaultIndex,
  updater: Updater,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const unready = await updater.ready().catch((error: Error) => error)
  if (unready !== undefined && !(isNotReady(unready) && (await index.isWhole()))) throw unready
  const fresh = await updater.freshness()
  if (fresh === 'without vectors') updater.restoreVectors()
  const answer = await index.search(request, fresh)
  if (fresh === 'fresh') return answer
  const isThere = await Promise.all(answer.hits.map((hit) => isReadable(vault, hit)))
  const hits = answer.hits.filter((_, at) => isThere[at])
  if (hits.length === 0 && unready !== undefined) throw unready
  return { ...answer, hits }
}

const isNotReady = (error: unknown): boolean => error instanceof Failure && error.code === 'not-ready'

/** Notes may have become private, excluded or deleted since they were indexed. */
async function isReadable(vault: JournaledVault, { path }: SearchHit): Promise<boolean> {
  try {
    return (await vault.read(path)) !== undefined
  } catch (error) {
    // Any other failure means that the note cannot be shown.
    return error instanceof Failure && error.code === 'too-large'
  }
}

async function status(index: VaultIndex, updater: Updater): Promise<NotebookStatus> {
  const embeddings = await updater.embeddingStatus()
  const counts = await index.counts()
  const freshness = await updater.freshness()
  const hasAllVectors = await index.hasAllVectors()
  const skipped = await index.skipped()
  const vectorsLostBy = await updater.vectorsLostBy()
  const rebuiltBecause = updater.rebuiltBecause()
  return {
    ...counts,
    freshness,
    hasAllVectors,
    ...(embeddings && { embeddings }),
    skipped,
    ...(vectorsLostBy !== undefined && { vectorsLostBy }),
    ...(rebuiltBecause !== undefined && { rebuiltBecause }),
  }
}

/** Past changes, newest first, of one session or one note if given. */
async function history(
  vault: JournaledVault,
  { session, note, limit }: { session?: string | undefined; note?: string | undefined; limit?: number } = {},
): Promise<HistoryEntry[]> {
  const touches = ({ changes }: HistoryEntry) => changes.some(({ path, to }) => path === note || to === note)
  // A damaged entry may concern any session and note, so it is always included.
  const entries = (await vault.history()).filter(
    (entry) =>
      entry.state === 'damaged' ||
      ((session === undefined || entry.session === session) && (note === undefined || touches(entry))),
  )
  return entries.slice(0, limit)
}

function planVaultUndo(
  vault: JournaledVault,
  { id, session, note }: { id?: string | undefined; session?: string | undefined; note?: string | undefined },
  choose?: ChooseConflict,
): Promise<ChangeSet> {
  if (note !== undefined) return vault.planUndo({ note: notePath(note) }, choose)
  return vault.planUndo(session === undefined ? { id: id ?? '' } : { session }, choose)
}

/** Interrupted change sets that are not resolved yet: waiting for a decision, or still to be recovered. */
async function undecidedChanges(vault: JournaledVault): Promise<HistoryEntry[]> {
  return (await vault.history()).filter(({ state }) => state === 'undecided' || state === 'unfinished')
}

const onTheCommandLine = 'To choose what to keep: notewright recover'

/** One sentence for the user about an interrupted change: what happened to which notes, and how to decide. */
export function undecidedSentence(
  { title, changes, unsettled }: HistoryEntry,
  howToDecide: string = onTheCommandLine,
): string {
  if (unsettled === undefined) {
    const notes = [...new Set(changes.map(({ path }) => path))]
    return `“${title}” was interrupted and is not recovered yet (${someOf(notes)}). Notewright tries again at the next start or change.`
  }
  const { went, notes } = unsettled
  const how = went === 'finished' ? 'completed' : 'undone'
  return `“${title}” was interrupted and then ${how}, except in notes that were edited in the meantime: ${someOf(notes)}. ${howToDecide}`
}

const dayMs = 86_400_000

/**
 * One sentence for the user about the newest change, if a crash interrupted it and it was recovered during the last day.
 * undefined after a later change, whose author has seen the notes as they are.
 */
async function recoveryNotice(vault: JournaledVault, now = Date.now()): Promise<string | undefined> {
  const newest = (await vault.history()).find(({ state }) => state !== 'damaged')
  if (newest?.recovered === undefined || newest.recovered.at < now - dayMs) return undefined
  return newest.unsettled === undefined ? recoveredSentence(newest) : undecidedSentence(newest)
}

/** True if recovered during the last week with nothing left to decide, as reported by `status` and `doctor`. */
export function wasRecoveredRecently({ recovered, unsettled }: HistoryEntry): boolean {
  return recovered !== undefined && unsettled === undefined && recovered.at > Date.now() - 7 * dayMs
}

/** One sentence about a change that a crash interrupted and that was recovered. */
export function recoveredSentence({ title, changes, recovered }: HistoryEntry): string {
  const notes = new Set(changes.map(({ path }) => path)).size
  const outcome =
    recovered?.went === 'finished'
      ? `has been completed (${notes} ${notes === 1 ? 'file' : 'files'})`
      : 'has been undone'
  return `“${title}” was interrupted by a crash and ${outcome}.`
}

const fewNotes = 10

function someOf(notes: readonly string[]): string {
  const more = notes.length > fewNotes ? ` and ${notes.length - fewNotes} more` : ''
  return notes.slice(0, fewNotes).join(', ') + more
}
