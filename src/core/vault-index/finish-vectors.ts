import type { OpenIndex } from './catch-up.js'
import { compact } from './compact.js'
import { refreshView } from './index-view.js'
import { needsEmbeddings, refreshEmbeddings } from './refresh-embeddings.js'
import { needsVectors, refreshVectors, type VectorOptions } from './refresh-vectors.js'

/** Makes the vectors that are missing, and merges segments. */
export async function finishVectors(index: OpenIndex, options: VectorOptions): Promise<void> {
  const { embedder } = index
  await refreshVectors(index, options)
  if (embedder !== undefined && options.fit !== false) await refreshEmbeddings(index, embedder, options)
  options.onProgress?.({ phase: 'merging', done: 0, total: 0 })
  index.view = await refreshView(index.store, index.view)
  if (await compact(index)) await refreshVectors(index, options)
}

export function hasAllVectors(index: OpenIndex): boolean {
  const { view, embedder } = index
  return !needsVectors(view) && (embedder === undefined || !needsEmbeddings(index, embedder))
}
