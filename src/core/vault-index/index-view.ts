import { openStored, type Segment } from './engine/index.js'
import { discardState, type IndexState, loadState } from './index-state.js'
import { IndexCorrupt, type IndexStore, type OpenBlob } from './index-store.js'
import type { FileNames } from './links/index.js'
import type { LinkedNotes } from './related/linked-notes.js'
import { decodeModel, type LsaModel, openVectors, type VectorBlock } from './semantic/index.js'

export interface LoadedSegment {
  name: string
  segment: Segment
  /** Vectors of the model in force; undefined until they are made. */
  vectors?: VectorBlock
  /** Vectors of the configured provider's model. */
  embedded?: VectorBlock
}

/** The engine in memory, as of one generation of the store. */
export interface IndexView {
  generation: number
  state: IndexState
  segments: LoadedSegment[]
  model?: LsaModel
  /** Names that links can lead to; built when first needed, dropped when the store has moved on. */
  names?: FileNames
  /** Links and uses of tags as far as they were asked for; dropped likewise. */
  links?: LinkedNotes
  tagCounts?: ReadonlyMap<string, number>
}

/** The generation of a view that must be looked at again, whatever the store's is. */
export const unopened = -1

/**
 * Brings the view up to the store's generation, keeping what is already open. An index that cannot be trusted, or is
 * of another version, is thrown away here: the next catch-up rebuilds it.
 */
export async function refreshView(store: IndexStore, view: IndexView | undefined): Promise<IndexView> {
  for (;;) {
    const generation = await store.generation()
    if (view?.generation === generation) return view
    try {
      const state = await loadState(store)
      if (state === undefined) throw new IndexCorrupt('the index is of another version')
      return { generation, state, ...(await openBlobs(store, state, view)) }
    } catch (error) {
      if (!(error instanceof IndexCorrupt)) throw error
      // Another process has put something else in the place of what we were reading.
      if ((await store.generation()) !== generation) continue
      const state = await discardState(store, error.message)
      return { generation: await store.generation(), state, segments: [] }
    }
  }
}

async function openBlobs(
  store: IndexStore,
  state: IndexState,
  view: IndexView | undefined,
): Promise<{ segments: LoadedSegment[]; model?: LsaModel }> {
  const sameModel = view?.state.model?.blob === state.model?.blob
  const sameEmbedding = view?.state.embedding?.id === state.embedding?.id
  async function openLoaded({ name, dead }: IndexState['segments'][number]): Promise<LoadedSegment> {
    const open = view?.segments.find((loaded) => loaded.name === name)
    // All are asked for before any is waited for: a store may read them side by side.
    const [blob, vectors, embedded] = await Promise.all([
      open === undefined ? readBlob(store, name) : undefined,
      (sameModel && open?.vectors) || vectorsOf(store, state.model?.vectors[name]),
      (sameEmbedding && open?.embedded) || vectorsOf(store, state.embedding?.vectors[name]),
    ])
    const segment = open?.segment ?? openStored(blob as OpenBlob)
    for (const id of dead) segment.kill(id)
    return { name, segment, vectors, embedded }
  }
  const [model, ...segments] = await Promise.all([
    sameModel ? view?.model : openModel(store, state),
    ...state.segments.map(openLoaded),
  ])
  return { segments, model }
}

async function vectorsOf(store: IndexStore, blob: string | undefined): Promise<VectorBlock | undefined> {
  return blob === undefined ? undefined : openVectors((await readBlob(store, blob)).bytes)
}

async function openModel(store: IndexStore, state: IndexState): Promise<LsaModel | undefined> {
  return state.model === undefined ? undefined : decodeModel((await readBlob(store, state.model.blob)).bytes)
}

async function readBlob(store: IndexStore, name: string): Promise<OpenBlob> {
  const blob = await store.blob(name)
  if (blob === undefined) throw new IndexCorrupt(`the index has lost ${name}`)
  return blob
}
