import type { OpenIndex } from '../catch-up.js'
import { copyState, type EmbeddingState, type IndexState, stateMeta } from '../index-state.js'
import type { StoredBlob } from '../index-store.js'
import { type LoadedSegment, refreshView } from '../index-view.js'
import { newBlob } from './embedding-state.js'
import { keyAt, type MadeVector, madeVectors, packPart, vectorAt } from './made-vectors.js'
import { passagesOf } from './passages.js'

/** Vectors of notes that have changed, kept aside when their segment is merged: most of their passages still say the same. */
export function keepDeadVectors(
  state: IndexState,
  embedding: EmbeddingState,
  merged: readonly LoadedSegment[],
): StoredBlob[] {
  const dead = new Map<string, MadeVector>()
  for (const { segment, embedded } of merged) {
    if (embedded?.model !== embedding.id) continue
    for (let note = 0; note < segment.noteCount; note++) {
      if (segment.dead[note] === 0) continue
      const { noteChunks } = segment.arrays
      for (let chunk = noteChunks[note]; chunk < noteChunks[note + 1]; chunk++) {
        const key = keyAt(embedded, segment.noteCount + chunk)
        if (key !== undefined) dead.set(key, vectorAt(embedded, segment.noteCount + chunk))
      }
    }
  }
  if (dead.size === 0) return []
  const blob = newBlob(state, packPart(embedding.id, embedding.dimension, dead))
  embedding.parts.push({ blob: blob.name, count: dead.size })
  return [blob]
}

/** Takes out of what was kept aside all that no note says any more. Answers false when another writer was faster. */
export async function forgetHiddenVectors(index: OpenIndex): Promise<boolean> {
  const { store, view } = index
  if (view.state.embedding === undefined || view.state.embedding.parts.length === 0) return true
  const state = copyState(view.state)
  const embedding = state.embedding!
  const said = new Set<string>()
  for (const { segment, embedded } of view.segments) {
    if (embedded?.model === embedding.id) continue
    for await (const { passages } of passagesOf(store, segment)) for (const { key } of passages) said.add(key)
  }
  const known = await madeVectors(store, { ...view, segments: [] }, embedding.id)
  const kept = new Map([...known].filter(([key]) => said.has(key)))
  const remove = embedding.parts.map(({ blob }) => blob)
  embedding.parts = []
  const put = kept.size === 0 ? [] : [newBlob(state, packPart(embedding.id, embedding.dimension, kept))]
  for (const { name } of put) embedding.parts.push({ blob: name, count: kept.size })
  const generation = await store.commit({ expect: view.generation, blobs: { put, remove }, meta: stateMeta(state) })
  if (generation === undefined) return false
  index.view = await refreshView(store, index.view)
  return true
}
