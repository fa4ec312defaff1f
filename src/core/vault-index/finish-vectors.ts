import type { OpenIndex } from './catch-up.js'
import { compact } from './compact.js'
import { refreshView } from './index-view.js'
import { needsVectors, refreshVectors, type VectorOptions } from './refresh-vectors.js'

/** Makes the vectors that are missing, and merges segments. */
export async function finishVectors(index: OpenIndex, options: VectorOptions): Promise<void> {
  await refreshVectors(index, options)
  options.onProgress?.({ phase: 'merging', done: 0, total: 0 })
  index.view = await refreshView(index.store, index.view)
  if (await compact(index)) await refreshVectors(index, options)
}

export function hasAllVectors({ view }: OpenIndex): boolean {
  return !needsVectors(view)
}
