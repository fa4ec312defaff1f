import type { OpenIndex } from './catch-up.js'
import { compact } from './compact.js'
import { refreshView } from './index-view.js'
import { needsEmbeddings, refreshEmbeddings } from './refresh-embeddings.js'
import { needsVectors, refreshVectors, type SettleOptions } from './refresh-vectors.js'

// All that changes the index, and what it takes to read notes: a process that only asks never loads this file.
export { catchUp } from './catch-up.js'
export { indexPaths } from './index-paths.js'
export { planMove } from './links/index.js'

/** Makes the vectors that are missing, and merges segments. */
export async function settle(index: OpenIndex, options: SettleOptions): Promise<void> {
  const { embedder } = index
  await refreshVectors(index, options)
  if (embedder !== undefined && options.fit !== false) await refreshEmbeddings(index, embedder, options)
  options.onProgress?.({ phase: 'merging', done: 0, total: 0 })
  index.view = await refreshView(index.store, index.view)
  if (await compact(index)) await refreshVectors(index, options)
}

export function isSettled(index: OpenIndex): boolean {
  const { view, embedder } = index
  return !needsVectors(view) && (embedder === undefined || !needsEmbeddings(index, embedder))
}
