import type { JournaledVault, ListingSum } from '../vault/index.js'
import type { IndexStage, IndexStore, StageOptions, UnseenChanges, VaultIndex } from '../vault-index/index.js'
import type { NotebookEmbeddings } from './embed.js'

/** Runs stages of indexing, one after the other, and tells which is done. */
export type RunStages = (
  stages: readonly IndexStage[],
  options: StageOptions & { onDone?: (stage: IndexStage) => void },
) => Promise<void>

/** What the parts of an open notebook work on, and what they remember between calls. */
export interface OpenParts {
  readonly vault: JournaledVault
  readonly store: IndexStore
  readonly index: VaultIndex
  readonly runStages: RunStages
  /** Begun at the start, and good for the first look alone. */
  sumAhead?: Promise<ListingSum>
  /** What the index has not seen; undefined before anyone looked. */
  unseen?: UnseenChanges
  rebuiltBecause?: string
  /** The last time the index was made again after damage, under way or done. */
  repair?: Promise<unknown>
  /** false where the person wants none: then none are missed. */
  readonly wantsVectors: boolean
  /** Work that nobody waits for, and what ends it when the notebook is closed. */
  background: Promise<unknown>
  readonly closing: AbortController
  /** What a search has begun to bring up to date, while it is under way. */
  catchingUp?: CatchingUp
  /** A provider's model, and the last run that asked it, under way or done. */
  readonly embeddings?: NotebookEmbeddings
  embedding: Promise<unknown>
  embeddingFailure?: string
  /** Lost vectors being made again. */
  mending?: Promise<void>
}

export interface CatchingUp {
  /** Files yet to be read. */
  left: number
  done: Promise<void>
}

/** So few changed files are read on the spot; more are worth starting a thread for. */
export const fewFiles = 200

export const nothingUnseen: UnseenChanges = { count: 0, generation: -1, changed: [], gone: [], disk: [], known: [] }
