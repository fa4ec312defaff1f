import { emptyListing, type LinkReading, type ListingSum } from '../vault/index.js'
import type { IndexStore, StoredBlob } from './index-store.js'

/** Incremented when chunking, tokenizing or storage changes: an index of another version is rebuilt. */
const indexVersion = '4'

/** The state of the engine, stored beside its blobs and changed in the same transactions. */
export interface IndexState {
  version: string
  /** Next document id. A changed note gets a new one, so an id never refers to two texts. */
  nextId: number
  /** Documents from this id on have rows but no segment, after an interrupted run. They are read again. */
  searchableBelow: number
  nextBlob: number
  /** Every file has been read once: only later changes can be missing. */
  isWhole?: boolean
  /** Text segments in order, with the ids of their dead notes. */
  segments: { name: string; dead: number[] }[]
  /** The rules by which links were resolved; if they change, the index is rebuilt. */
  reading: LinkReading
  /** Sum of the stamps of all known files. */
  listing: ListingSum
  /** Added and removed names whose links still have to be resolved again. */
  pendingNames: string[]
  /** Notes were hidden: their text must still be erased from the files of the index. */
  mustErase?: boolean
  /** The current semantic model; segments without its vectors wait for them. */
  model?: ModelState
  /** Vectors of a provider's model, if one is configured. */
  embedding?: EmbeddingState
  /** Why the index lost its vectors (usually damage), until they are restored. */
  vectorsLostBy?: string | undefined
}

export interface EmbeddingState {
  /** The embedder's id. */
  id: string
  dimension: number
  /** Segment name to the blob with its vectors. */
  vectors: Record<string, string>
  /** Blobs of vectors whose segment is incomplete or no longer has their note, kept so that no text is sent twice. */
  parts: { blob: string; count: number }[]
  /** Notes without vectors because they may not be sent. */
  without: number[]
}

export interface ModelState {
  id: string
  blob: string
  /** Units of the fit, and units of the vault at that time. */
  fittedUnits: number
  unitsAtFit: number
  /** Units added or removed since. */
  changedSince: number
  /** Segment name to the blob with its vectors. */
  vectors: Record<string, string>
  /** Segments whose vectors are also copied to the rows of their chunks, for users who query the store. */
  shown: string[]
}

const stateKey = 'state'

const emptyState = (): IndexState => ({
  version: indexVersion,
  nextId: 1,
  searchableBelow: 1,
  nextBlob: 1,
  segments: [],
  reading: 'obsidian',
  listing: emptyListing,
  pendingNames: [],
})

/** undefined if the store has an index of another version or an unreadable one: it must be cleared. */
export async function loadState(store: IndexStore): Promise<IndexState | undefined> {
  const text = await store.meta(stateKey)
  if (text === undefined) return emptyState()
  try {
    const state = JSON.parse(text) as IndexState
    return state.version === indexVersion ? state : undefined
  } catch {
    // Damaged JSON: the caller clears the index.
    return undefined
  }
}

/** Clears an unusable index, and records if vectors were lost with it. */
export async function discardState(store: IndexStore, why: string): Promise<IndexState> {
  // A damaged store may not even give its state.
  const old = await loadState(store).catch(() => undefined)
  await store.clear()
  const state = emptyState()
  if (old !== undefined && old.model === undefined && old.vectorsLostBy === undefined) return state
  return markVectorsLost(store, why)
}

/** Records the loss of vectors in an index that was just created again. */
export async function markVectorsLost(store: IndexStore, why: string): Promise<IndexState> {
  const state = { ...emptyState(), vectorsLostBy: why }
  await store.commit({ expect: await store.generation(), meta: stateMeta(state) })
  return state
}

export const stateMeta = (state: IndexState): Record<string, string> => ({ [stateKey]: JSON.stringify(state) })

/** State changes are made on a copy, which replaces the state after the commit. */
export const copyState = (state: IndexState): IndexState => JSON.parse(JSON.stringify(state)) as IndexState

/** A copy of the state for vectors of this model, and the obsolete blobs of another model. */
export function stateForModel(
  now: IndexState,
  id: string,
  dimension: number,
): { state: IndexState; embedding: EmbeddingState; remove: string[] } {
  const state = copyState(now)
  const { embedding } = state
  if (embedding?.id === id && embedding.dimension === dimension) return { state, embedding, remove: [] }
  const fresh: EmbeddingState = { id, dimension, vectors: {}, parts: [], without: [] }
  state.embedding = fresh
  return { state, embedding: fresh, remove: blobsOf(embedding) }
}

export function blobsOf(embedding: EmbeddingState | undefined): string[] {
  if (embedding === undefined) return []
  return [...Object.values(embedding.vectors), ...embedding.parts.map(({ blob }) => blob)]
}

export const newBlob = (state: IndexState, bytes: Uint8Array): StoredBlob => ({
  name: `vectors-${state.nextBlob++}`,
  kind: 'vectors',
  bytes,
})
