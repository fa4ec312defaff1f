import type { OpenIndex } from './catch-up.js'
import { rewriteSegments } from './compact.js'
import { forgetHiddenVectors } from './embeddings/index.js'
import { copyState, stateMeta } from './index-state.js'
import { type IndexView, refreshView } from './index-view.js'

/**
 * After notes were made private or excluded: takes what they said, and what they said before, out of the files of the
 * index. Segments with dead notes are written again, a semantic model that knows words of theirs alone is dropped, and
 * the store erases what it has removed. Where another process is in the way, the next run goes on.
 */
export async function eraseHidden(index: OpenIndex): Promise<void> {
  const { store } = index
  if (!index.view.state.mustErase) return
  index.view = await refreshView(store, index.view)
  const withDead = new Set(index.view.state.segments.filter(({ dead }) => dead.length > 0).map(({ name }) => name))
  for (const loaded of index.view.segments.filter(({ name }) => withDead.has(name))) {
    if (!(await rewriteSegments(index, [loaded]))) return
  }
  if (!(await forgetHiddenVectors(index))) return
  if (knowsOtherWords(index.view) && !(await dropModel(index))) return
  if (!(await store.erase())) return
  const state = copyState(index.view.state)
  delete state.mustErase
  await commit(index, { state, remove: [] })
}

/** Whether the model has words that no note has any more. */
function knowsOtherWords({ model, segments }: IndexView): boolean {
  if (model === undefined) return false
  const known = new Set<string>()
  const decoder = new TextDecoder()
  for (const { segment } of segments) {
    const { stemBytes, stemOffsets } = segment.arrays
    for (let stem = 0; stem + 1 < stemOffsets.length; stem++) {
      known.add(decoder.decode(stemBytes.subarray(stemOffsets[stem], stemOffsets[stem + 1])))
    }
  }
  return [...model.terms].some((term) => !known.has(term))
}

/** Search goes on without it, and says so, until the next one is fitted behind. */
function dropModel(index: OpenIndex): Promise<boolean> {
  const state = copyState(index.view.state)
  const { blob, vectors } = state.model!
  delete state.model
  state.vectorsLostBy = 'words of notes that were hidden were erased'
  return commit(index, { state, remove: [blob, ...Object.values(vectors)] })
}

async function commit(
  index: OpenIndex,
  { state, remove }: { state: IndexView['state']; remove: string[] },
): Promise<boolean> {
  const { store, view } = index
  const generation = await store.commit({ expect: view.generation, blobs: { remove }, meta: stateMeta(state) })
  if (generation === undefined) return false
  index.view = await refreshView(store, undefined)
  return true
}
