import { copyState, type EmbeddingState, type IndexState } from '../index-state.js'
import type { StoredBlob } from '../index-store.js'

/** A copy of the state to keep vectors of this model in, and the blobs of another one that it makes useless. */
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
