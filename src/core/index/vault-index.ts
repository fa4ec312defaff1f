import { type HiddenNoteReader, type NotePath, notePath, unreadable, type VaultReader } from '../vault/index.js'
import type { EmbedOptions } from './embeddings/embed-notes.js'
import { type QueryVectors, queryVectors } from './embeddings/query-vectors.js'
import { type IndexStore, isLinkTarget, type StoredLink } from './index-store.js'
import type { OpenIndex, WorkOptions } from './index-view.js'
import { type EmbeddingProgress, embeddingProgress, refreshView } from './index-view.js'
import { indexWriter } from './index-writer.js'
import { type FileNames, fileNames } from './links/file-names.js'
import { type Aliases, aliasesOf, ambiguousName, noteNotFound, notesNamed } from './name-lookup.js'
import { compareText } from './note-facts.js'
import type { NoteIndex } from './note-index.js'
import { findRelated } from './related.js'
import { answerSearch, type Freshness, type SearchAnswer, type SearchRequest } from './search.js'
import type { Embedder } from './semantic/embedder.js'
import { type FindChangesOptions, findUnseenChanges, type UnseenChanges } from './unseen-changes.js'
import type { VectorOptions } from './vectors.js'
import { yieldToHost } from './yield-to-host.js'

/** The index of one vault: its queries, and the stages that update it. */
export interface VaultIndex extends NoteIndex {
  /** `freshness` is passed through to the answer. Default `fresh`. */
  search(request: SearchRequest, freshness?: Freshness): Promise<SearchAnswer>
  /** True if nothing was ever indexed. */
  isEmpty(): Promise<boolean>
  /** True if every file has been read once: only later changes can be missing. */
  isWhole(): Promise<boolean>
  /** Changes that the index has not seen. */
  unseenChanges(options?: FindChangesOptions): Promise<UnseenChanges>
  /** Reads all changes; then search by words and links is up to date. */
  readChanges(options?: WorkOptions & { unseen?: UnseenChanges | undefined }): Promise<void>
  /** Computes missing vectors and merges segments; search works meanwhile. False if a merge is left (`mergesUpTo`). */
  updateVectors(options?: VectorOptions): Promise<boolean>
  hasAllVectors(): Promise<boolean>
  /** Requests missing vectors from the embedder, if there is one. */
  embed(options?: EmbedOptions): Promise<void>
  /** Progress of the embedder; undefined without one. */
  embeddingProgress(): Promise<EmbeddingProgress | undefined>
  /** The damage that cost the index its vectors, until they are restored. */
  vectorsLostBy(): Promise<string | undefined>
  /** Indexes only these paths, after a change set. */
  indexPaths(paths: readonly NotePath[]): Promise<void>
  counts(): ReturnType<IndexStore['counts']>
  skipped(): Promise<{ path: NotePath; reason: string }[]>
}

export interface VaultIndexSetup {
  /** Links in hidden notes are only counted if the vault can read those. */
  vault: VaultReader & Partial<HiddenNoteReader>
  store: IndexStore
  /** Creates the writer of a run. Default: in this thread. */
  newWriter?: OpenIndex['newWriter'] | undefined
  /** A provider's model whose vectors join the ranking. */
  embedder?: Embedder | undefined
}

export async function openVaultIndex(setup: VaultIndexSetup): Promise<VaultIndex> {
  const { vault, store, embedder, newWriter = () => indexWriter(store) } = setup
  const index: OpenIndex & { embedder?: Embedder | undefined; queries: QueryVectors } = {
    vault,
    store,
    newWriter,
    embedder,
    queries: queryVectors(),
    view: await refreshView(store, undefined),
  }

  async function refreshed(): Promise<typeof index> {
    index.view = await refreshView(store, index.view)
    return index
  }

  async function visibleFiles(): Promise<NotePath[]> {
    return (await store.files()).filter(isLinkTarget).map(({ path }) => path)
  }

  async function hiddenFiles(rewrites: boolean, signal?: AbortSignal) {
    const { excludedFiles, readHidden } = vault
    if (excludedFiles === undefined || readHidden === undefined) return undefined
    const isPrivate = await store.files('hidden')
    const paths = [...isPrivate.map(({ path }) => path), ...(await excludedFiles(signal))]
    return paths.length === 0 ? undefined : { paths, read: readHidden, rewrites }
  }

  async function names(): Promise<FileNames> {
    const { view } = await refreshed()
    view.names ??= fileNames(await visibleFiles(), view.state.reading)
    return view.names
  }

  async function aliases(): Promise<Aliases> {
    const { view } = await refreshed()
    view.aliases ??= aliasesOf((await store.notes([...(await store.matching({}))])).values())
    return view.aliases
  }

  /** All that a move needs to update links. Skipped files are read again: by now they may link to the moved ones. */
  async function linkSource(touchesHidden: boolean, signal?: AbortSignal) {
    const skipped = await store.files('skipped')
    if (skipped.length > 0) {
      const paths = skipped.map(({ path }) => path)
      await (await writing()).indexPaths(index, paths)
    }
    const [known, settings] = [await names(), await vault.linkSettings()]
    return { names: known, settings, store, hidden: await hiddenFiles(touchesHidden, signal) }
  }

  async function hasAllVectors(): Promise<boolean> {
    return (await writing()).hasAllVectors(await refreshed())
  }

  return {
    isEmpty: async () => (await refreshed()).view.state.nextId === 1,
    isWhole: async () => (await refreshed()).view.state.isWhole === true,
    unseenChanges: async (options) => findUnseenChanges(await refreshed(), options),
    readChanges: async (options) => (await writing()).readChanges(index, options),
    async updateVectors(options = {}) {
      const { updateVectors } = await writing()
      return updateVectors(await refreshed(), options)
    },
    hasAllVectors,
    async embed(options) {
      if (embedder === undefined) return
      const { embedNotes } = await writing()
      await embedNotes(await refreshed(), embedder, options)
    },
    embeddingProgress: async () => embedder && embeddingProgress((await refreshed()).view, embedder.id),
    async vectorsLostBy() {
      const { vectorsLostBy } = (await refreshed()).view.state
      // Usually nothing is lost, and the code for vectors is not loaded.
      return vectorsLostBy === undefined || (await hasAllVectors()) ? undefined : vectorsLostBy
    },
    indexPaths: async (paths) => (await writing()).indexPaths(index, paths),
    search: async (request, freshness = 'fresh') => answerSearch(await refreshed(), request, freshness),

    async find(wanted) {
      const candidates = await notesNamed(await names(), notePath(wanted), aliases)
      if (candidates.length > 1) throw ambiguousName('notes', wanted, candidates)
      const [only] = candidates
      const note = only === undefined ? undefined : await store.note(only)
      if (note !== undefined) return note
      const unread = (await store.files('skipped')).find(({ path }) => path === candidates[0])
      if (unread !== undefined) {
        throw unreadable(unread.path, 'not-found', unread.reason ?? '', {
          hint: 'Check the file.',
          command: 'notewright doctor',
        })
      }
      throw noteNotFound(wanted, await visibleFiles())
    },

    note: (path) => store.note(path),
    notesAt: (paths) => store.notesAt(paths),
    async notes(filter = {}) {
      const notes = await store.notes([...(await store.matching(filter))])
      return [...notes.values()].sort((a, b) => compareText(a.path, b.path))
    },
    files: visibleFiles,
    tags: () => store.tags(),
    linksFrom: (path) => store.linksFrom(path),
    linksTo: (path) => store.linksTo(path),
    async links(signal) {
      const indexed = (await store.files('indexed')).map(({ path }) => path).sort(compareText)
      const links: StoredLink[] = []
      const pause = yieldToHost()
      for (const path of indexed) {
        signal?.throwIfAborted()
        for (const link of await store.linksFrom(path)) links.push(link)
        await pause()
      }
      return links
    },
    unresolved: () => store.unresolved(),
    orphans: () => store.orphans(),
    async related(request, isVisible) {
      const note = await store.note(request.path)
      if (note === undefined) throw noteNotFound(request.path, await visibleFiles())
      return findRelated(await refreshed(), note, request, isVisible)
    },
    async planMove(from, to, { touchesHidden = false, ...options } = {}) {
      const { planMove } = await writing()
      const source = await linkSource(touchesHidden, options.signal)
      return vault.reading((read) => planMove({ from, to, read, ...source, ...options }))
    },
    async planMoves(moves, { touchesHidden = false, texts = new Map(), ...options } = {}) {
      const { planMoves } = await writing()
      const source = await linkSource(touchesHidden, options.signal)
      return vault.reading((read) => planMoves({ moves, texts, read, ...source, ...options }))
    },
    linkReading: async () => (await names()).reading,
    async planRepairs(repairs, { signal, texts = new Map() } = {}) {
      const { planRepairs } = await writing()
      const { names: known, settings, hidden } = await linkSource(false, signal)
      return vault.reading((read) => planRepairs({ repairs, texts, read, names: known, settings, hidden, signal }))
    },
    async planRestructure(wanted, { touchesHidden = false, ...options } = {}) {
      const { planRestructure } = await writing()
      const source = await linkSource(touchesHidden, options.signal)
      return vault.reading((read) => planRestructure({ ...wanted, read, ...source, ...options }))
    },
    counts: () => store.counts(),
    async skipped() {
      const files = [...(await store.files('skipped')), ...(await store.files('barred'))]
      files.sort((a, b) => compareText(a.path, b.path))
      return files.map(({ path, reason }) => ({ path, reason: reason ?? '' }))
    },
  }
}

const writing = () => import('./writing.js')
