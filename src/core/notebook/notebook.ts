import type { AppliedChangeSet, ChangeSet, HistoryEntry, JournaledVault, Settle } from '../vault/index.js'
import type { Freshness, IndexCounts, IndexProgress, UpdatableIndex } from '../vault-index/index.js'
import type { EmbeddingStatus } from './embed.js'

/** One opened vault with its index and its history: what every front end works with. */
export interface Notebook {
  readonly vault: JournaledVault
  /** The index, as tools see it too. Where it turns out to be damaged it is made again before a question is answered. */
  readonly index: UpdatableIndex
  /** Brings the index up to date; large work is done elsewhere where the host can. */
  update(options?: UpdateOptions): Promise<IndexReport>
  /** The same, begun now and awaited by nobody who does not want to; it ends when the notebook is closed. */
  updateBehind(options?: Pick<UpdateOptions, 'onProgress' | 'vectors' | 'anew'>): UpdateBehind
  /** Reads what `freshness` has found to be left. */
  catchUp(options?: UpdateOptions): Promise<void>
  /** Looks at the vault again and reads what has changed: for whoever stays open while other programs write. */
  refresh(options?: Pick<UpdateOptions, 'signal' | 'onProgress'>): Promise<void>
  freshness(): Promise<Freshness>
  /** Writes, then brings the index up to date before answering. */
  apply: (changeSet: ChangeSet) => Promise<AppliedChangeSet>
  /** Newest first. */
  history(options?: { session?: string; note?: string; limit?: number }): Promise<HistoryEntry[]>
  planUndo(which: { id?: string; session?: string; note?: string }, settle?: Settle): Promise<ChangeSet>
  /** Change sets that were cut off and are not whole yet; `vault.planSettle` decides about their notes. */
  unsettled(): Promise<HistoryEntry[]>
  status(): Promise<NotebookStatus>
  /** Asks the provider's model, where one is configured, for the embeddings that are missing. */
  embed(options?: Pick<UpdateOptions, 'signal' | 'onProgress'>): Promise<void>
  /** Keeps the index up to date while the vault changes, and embeddings behind it. Returns a stop function. */
  follow(): () => void
  close(): Promise<void>
}

export interface UpdateOptions {
  signal?: AbortSignal
  onProgress?: (progress: IndexProgress) => void
  /** false leaves it at placing new notes in the semantic model there is. */
  vectors?: boolean
  /** Throws the index away first, and makes it again from the notes. */
  anew?: boolean
  /** Told once search by words and links are ready: vectors follow. */
  onText?: () => void
}

export interface UpdateBehind {
  /** Search by words and links are ready. Fails as the update does. */
  text: Promise<void>
  /** All is done, or has failed. */
  done: Promise<void>
}

export interface IndexReport extends Required<IndexCounts>, TimeSpent {}

export interface TimeSpent {
  /** Everything, vectors included. */
  ms: number
  /** Until search by words and links were ready. */
  lexicalMs: number
  vectorsMs: number
}

export interface NotebookStatus {
  notes: number
  chunks: number
  links: number
  unresolved: number
  freshness: Freshness
  /** Whether every note has its semantic vectors, or the vault is too small to need them. */
  hasAllVectors: boolean
  /** How far the provider's model is, where one is configured. */
  embeddings?: EmbeddingStatus
  /** Files and folders that could not be read. */
  skipped: { path: string; reason: string }[]
  /** What damage cost the vectors, until they are made again. */
  vectorsLostBy?: string
  /** Why an earlier index could not be used and was begun anew. */
  rebuiltBecause?: string
}
