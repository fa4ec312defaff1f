import { emptyListing, type LinkReading, type ListingSum } from '../vault/index.js'
import type { IndexStore } from './index-store.js'

/**
 * Changes whenever the same note would be cut, tokenised or stored differently: an index of another version is
 * rebuilt, never read.
 */
export const indexVersion = '4'

/** The engine's bookkeeping, kept in the store beside its blobs and changed in the same transactions. */
export interface IndexState {
  version: string
  /** Next document id. A note that changes gets a new one, so ids in segments never mean two texts. */
  nextId: number
  /** Documents from this id on have rows but no finished segment: a run that was cut off. They are read again. */
  searchableBelow: number
  nextBlob: number
  /** Text segments in order, with the ids of their notes that are gone. */
  segments: { name: string; dead: number[] }[]
  /** How the links were read when they were resolved; a folder that Obsidian opens is read anew. */
  reading: LinkReading
  /** Of the stamps of all files the index knows. */
  listing: ListingSum
  /** Names that came or went while the links that look for them still wait to be resolved again. */
  pendingNames: string[]
  /** Notes were hidden since: what they said is still in the files of the index, and is to be erased from them. */
  mustErase?: boolean
  /** The semantic model in force; segments without vectors of this model wait for them. */
  model?: ModelState
  /** Vectors of a provider's model, when one is configured. */
  embedding?: EmbeddingState
  /** What cost this index its vectors, damage as a rule, until they are made again. */
  vectorsLostBy?: string
}

export interface EmbeddingState {
  /** The embedder's id. */
  id: string
  dimension: number
  /** Segment name to the blob with its vectors. */
  vectors: Record<string, string>
  /** Blobs of vectors whose segment is not complete yet, or no longer has their note: what says the same is not sent again. */
  parts: { blob: string; count: number }[]
  /** Notes that have none because they may not be sent. */
  without: number[]
}

export interface ModelState {
  id: string
  blob: string
  /** Units the fit saw, and units the vault had then. */
  fittedUnits: number
  unitsAtFit: number
  /** Units added or removed since. */
  changedSince: number
  /** Segment name to the blob with its vectors. */
  vectors: Record<string, string>
  /** Segments whose vectors also stand in the rows of their chunks, for people who look into the store. */
  shown: string[]
}

const key = 'state'

export const emptyState = (): IndexState => ({
  version: indexVersion,
  nextId: 1,
  searchableBelow: 1,
  nextBlob: 1,
  segments: [],
  reading: 'obsidian',
  listing: emptyListing,
  pendingNames: [],
})

/** undefined when the store holds an index of another version, or one that cannot be read: it must be cleared. */
export async function loadState(store: IndexStore): Promise<IndexState | undefined> {
  const text = await store.meta(key)
  if (text === undefined) return emptyState()
  try {
    const state = JSON.parse(text) as IndexState
    return state.version === indexVersion ? state : undefined
  } catch {
    return undefined
  }
}

/** Throws an index away that cannot be used, and leaves a note where vectors went with it. */
export async function discardState(store: IndexStore, why: string): Promise<IndexState> {
  const old = await loadState(store).catch(() => undefined)
  await store.clear()
  const state = emptyState()
  if (old !== undefined && old.model === undefined && old.vectorsLostBy === undefined) return state
  return markVectorsLost(store, why)
}

/** For an index that has just begun anew. */
export async function markVectorsLost(store: IndexStore, why: string): Promise<IndexState> {
  const state = { ...emptyState(), vectorsLostBy: why }
  await store.commit({ expect: await store.generation(), meta: stateMeta(state) })
  return state
}

export const stateMeta = (state: IndexState): Record<string, string> => ({ [key]: JSON.stringify(state) })

/** Changes are made on a copy, and become the state only when they are committed. */
export const copyState = (state: IndexState): IndexState => JSON.parse(JSON.stringify(state)) as IndexState
