import type { NotePath, VaultReader } from '../vault/index.js'
import { openStored, type Segment } from './engine/segment.js'
import { discardState, type IndexState, loadState } from './index-state.js'
import { IndexCorrupt, type IndexStore, type OpenBlob, type StoredLink } from './index-store.js'
import type { IndexWriter } from './index-writer.js'
import type { FileNames } from './links/file-names.js'
import { decodeModel, type LsaModel } from './semantic/lsa-model.js'
import { openVectors, type VectorBlock } from './semantic/vector-block.js'

export interface LoadedSegment {
  name: string
  segment: Segment
  /** Vectors of the current model; undefined until computed. */
  vectors?: VectorBlock | undefined
  /** Vectors of the configured provider's model. */
  embedded?: VectorBlock | undefined
}

/** The engine in memory, as of one generation of the store. */
export interface IndexView {
  generation: number
  state: IndexState
  segments: LoadedSegment[]
  model?: LsaModel | undefined
  /** Names of link targets; built on demand, dropped with the generation. */
  names?: FileNames
  /** Notes by folded alias. Built when a name matches no file; dropped likewise. */
  aliases?: ReadonlyMap<string, readonly NotePath[]>
  /** Links and tag counts requested so far; dropped likewise. */
  links?: LinkedNotes
  tagCounts?: ReadonlyMap<string, number>
}

/** Progress of reading notes into the index. */
export interface IndexProgress {
  phase: 'listing' | 'reading' | 'vectors' | 'merging' | 'embedding'
  done: number
  total: number
}

export interface WorkOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
  /** Milliseconds of work between pauses for the host's other work; a worker needs none. */
  yieldEveryMs?: number
  /** Returns a promise while work is paused, because the host is in the background. */
  paused?: () => Promise<void> | undefined
}

/** The vault, the store, and the engine's view of the store, shared by all parts of the index. */
export interface OpenIndex {
  readonly vault: VaultReader
  readonly store: IndexStore
  /** Creates the writer for the next run. `notes` is the exact count for small runs. */
  newWriter(notes?: number): IndexWriter
  view: IndexView
}

/** The generation of a view that must be refreshed in any case. */
export const staleGeneration = -1

/**
 * Refreshes the view to the store's generation, keeping what is already open. A damaged index, or one of another
 * version, is discarded: the next update rebuilds it.
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
      // Another process has replaced the data meanwhile.
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
): Promise<{ segments: LoadedSegment[]; model?: LsaModel | undefined }> {
  const sameModel = view?.state.model?.blob === state.model?.blob
  const sameEmbedding = view?.state.embedding?.id === state.embedding?.id
  async function openLoaded({ name, dead }: IndexState['segments'][number]): Promise<LoadedSegment> {
    const open = view?.segments.find((loaded) => loaded.name === name)
    // Requested together: a store may read them concurrently.
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

/** Cached links of notes; valid for one generation of the store. */
export interface LinkedNotes {
  /** Notes that it links to, each once. */
  from: (path: NotePath) => Promise<readonly LinkedNote[]>
  /** Notes that link to it, each once. */
  to: (path: NotePath) => Promise<readonly LinkedNote[]>
}

export interface LinkedNote {
  path: NotePath
  /** Line of the first such link. */
  line: number
}

export function linkedNotes(store: Pick<IndexStore, 'linksFrom' | 'linksTo'>): LinkedNotes {
  return {
    from: memoised(async (path) => uniqueNotes(path, await store.linksFrom(path), ({ target }) => target)),
    to: memoised(async (path) => uniqueNotes(path, await store.linksTo(path), ({ source }) => source)),
  }
}

function memoised(ask: (path: NotePath) => Promise<readonly LinkedNote[]>): LinkedNotes['from'] {
  const known = new Map<NotePath, Promise<readonly LinkedNote[]>>()
  return (path) => {
    const answer = known.get(path) ?? ask(path)
    known.set(path, answer)
    return answer
  }
}

function uniqueNotes(
  own: NotePath,
  links: readonly StoredLink[],
  other: (link: StoredLink) => NotePath | null,
): LinkedNote[] {
  const found = new Map<NotePath, LinkedNote>()
  for (const link of links) {
    const path = other(link)
    if (path !== null && path !== own && !found.has(path)) found.set(path, { path, line: link.line })
  }
  return [...found.values()]
}

export interface EmbeddingProgress {
  /** All passages, and those with a vector of the model. */
  passages: number
  made: number
  /** Notes that may not be sent to the provider. */
  withheld: number
}

export function embeddingProgress({ state, segments }: IndexView, id: string): EmbeddingProgress {
  const embedding = state.embedding?.id === id ? state.embedding : undefined
  let passages = 0
  let made = 0
  let aside = 0
  for (const { segment, embedded } of segments) {
    passages += segment.liveChunks
    if (embedding !== undefined && embedded?.model === id) made += segment.liveChunks
  }
  for (const { count } of embedding?.parts ?? []) aside += count
  let withheld = 0
  for (const note of embedding?.without ?? []) {
    const home = segments.find(({ segment }) => segment.has(note))
    if (home === undefined) continue
    withheld++
    if (home.embedded?.model === id) made -= home.segment.chunkCount(note)
  }
  return { passages, made: Math.min(passages, made + aside), withheld }
}
