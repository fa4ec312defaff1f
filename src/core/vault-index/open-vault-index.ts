import { Failure } from '../errors.js'
import { type HiddenReading, isNote, type NotePath, notePath, unreadable, type VaultReading } from '../vault/index.js'
import { answerSearch } from './answer-search.js'
import type { OpenIndex, WorkOptions } from './catch-up.js'
import { type EmbeddingProgress, embeddingProgress } from './embeddings/embedding-progress.js'
import type { EmbedOptions } from './embeddings/index.js'
import { queryVectors } from './embeddings/query-vectors.js'
import { type IndexStore, isName } from './index-store.js'
import { refreshView } from './index-view.js'
import { indexWriter } from './index-writer.js'
import { type FileNames, fileNames, linkKey } from './links/index.js'
import { compareText } from './note-facts.js'
import type { NoteIndex } from './note-index.js'
import { noteNotFound } from './note-not-found.js'
import type { VectorOptions } from './refresh-vectors.js'
import { findRelated } from './related/find-related.js'
import type { Freshness, SearchAnswer, SearchRequest } from './search-request.js'
import type { Embedder } from './semantic/index.js'
import { findUnseenChanges, type LookOptions, type UnseenChanges } from './unseen-changes.js'

/** The index of one vault: what can be asked of it, and keeping it true. */
export interface VaultIndex extends NoteIndex {
  /** `freshness` is what whoever keeps the index says of it; `fresh` unless told. */
  search(request: SearchRequest, freshness?: Freshness): Promise<SearchAnswer>
  /** Whether nothing has ever been indexed. */
  isEmpty(): Promise<boolean>
  /** What has changed that the index has not seen. */
  unseenChanges(options?: LookOptions): Promise<UnseenChanges>
  /** Reads what changed; afterwards search by words and links are up to date. */
  catchUp(options?: WorkOptions & { unseen?: UnseenChanges }): Promise<void>
  /** Makes the vectors that are missing, and merges segments; search works meanwhile. */
  finishVectors(options?: VectorOptions): Promise<void>
  hasAllVectors(): Promise<boolean>
  /** Asks the embedder, where there is one, for the vectors that are missing. */
  embed(options?: EmbedOptions): Promise<void>
  /** How far that is; undefined where there is no embedder. */
  embedded(): Promise<EmbeddingProgress | undefined>
  /** What damage cost the index its vectors, while they have yet to be made again. */
  vectorsLostBy(): Promise<string | undefined>
  /** Looks at just these paths again: after a change set, before its caller gets an answer. */
  indexPaths(paths: readonly NotePath[]): Promise<void>
  counts(): ReturnType<IndexStore['counts']>
  skipped(): Promise<{ path: NotePath; reason: string }[]>
}

export interface VaultIndexSetup {
  /** Links in hidden notes are only counted where it can read those. */
  vault: VaultReading & Partial<HiddenReading>
  store: IndexStore
  /** What writes for a run: in this thread, unless told. */
  newWriter?: OpenIndex['newWriter']
  /** A provider's model whose vectors join the ranking. */
  embedder?: Embedder
}

export async function openVaultIndex(setup: VaultIndexSetup): Promise<VaultIndex> {
  const { vault, store, embedder, newWriter = () => indexWriter(store) } = setup
  const index: OpenIndex = {
    vault,
    store,
    newWriter,
    embedder,
    queries: queryVectors(),
    view: await refreshView(store, undefined),
  }

  async function refreshed(): Promise<OpenIndex> {
    index.view = await refreshView(store, index.view)
    return index
  }

  async function visibleFiles(): Promise<NotePath[]> {
    return (await store.files()).filter(isName).map(({ path }) => path)
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

  async function hasAllVectors(): Promise<boolean> {
    return (await changing()).hasAllVectors(await refreshed())
  }

  return {
    isEmpty: async () => (await refreshed()).view.state.nextId === 1,
    unseenChanges: async (options) => findUnseenChanges(await refreshed(), options),
    catchUp: async (options) => (await changing()).catchUp(index, options),
    async finishVectors(options = {}) {
      const { finishVectors } = await changing()
      await finishVectors(await refreshed(), options)
    },
    hasAllVectors,
    async embed(options) {
      if (embedder !== undefined) await (await changing()).embedNotes(await refreshed(), embedder, options)
    },
    embedded: async () => embedder && embeddingProgress((await refreshed()).view, embedder.id),
    async vectorsLostBy() {
      const { vectorsLostBy } = (await refreshed()).view.state
      // Most often nothing is lost, and what it would take to say more is not even loaded.
      return vectorsLostBy === undefined || (await hasAllVectors()) ? undefined : vectorsLostBy
    },
    indexPaths: async (paths) => (await changing()).indexPaths(index, paths),
    search: async (request, freshness = 'fresh') => answerSearch(await refreshed(), request, freshness),

    async find(wanted) {
      const candidates = notesCalled(await names(), notePath(wanted))
      if (candidates.length > 1) {
        const shown = [...candidates].sort(compareText).slice(0, mostCandidates)
        const more = candidates.length > shown.length ? ` and ${candidates.length - shown.length} more` : ''
        throw new Failure('ambiguous', `Several notes are called ${wanted}: ${shown.join(', ')}${more}`, {
          hint: 'Give the path of the one you mean.',
          data: { candidates: shown },
        })
      }
      const note = candidates.length === 1 ? await store.note(candidates[0]) : undefined
      if (note !== undefined) return note
      const unread = (await store.files('skipped')).find(({ path }) => path === candidates[0])
      if (unread !== undefined) {
        throw unreadable(unread.path, 'not-found', unread.reason ?? '', {
          hint: 'See what is wrong with the file.',
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
    unresolved: () => store.unresolved(),
    orphans: () => store.orphans(),
    async related(request, isVisible) {
      const note = await store.note(request.path)
      if (note === undefined) throw noteNotFound(request.path, await visibleFiles())
      return findRelated(await refreshed(), note, request, isVisible)
    },
    async planMove(from, to, { touchesHidden = false, ...options } = {}) {
      const { planMove, indexPaths } = await changing()
      // What could not be read some time ago may be readable by now, and have links to what moves.
      const skipped = await store.files('skipped')
      if (skipped.length > 0)
        await indexPaths(
          index,
          skipped.map(({ path }) => path),
        )
      const [known, settings] = [await names(), await vault.linkSettings()]
      const hidden = await hiddenFiles(touchesHidden, options.signal)
      return vault.reading((read) => planMove({ from, to, names: known, settings, store, read, hidden, ...options }))
    },
    counts: () => store.counts(),
    async skipped() {
      const files = [...(await store.files('skipped')), ...(await store.files('barred'))]
      files.sort((a, b) => compareText(a.path, b.path))
      return files.map(({ path, reason }) => ({ path, reason: reason ?? '' }))
    },
  }
}

const changing = () => import('./changing.js')

/** `index.md` in every folder of a large vault would fill a screen, or a model's memory. */
const mostCandidates = 20

function notesCalled(names: FileNames, wanted: NotePath): NotePath[] {
  const exact = names.exact(wanted) ?? names.exact(`${wanted}.md`)
  if (exact !== undefined) return [exact]
  const tail = `/${wanted.replace(/\.md$/i, '')}.md`.toLowerCase()
  const namesakes = names.namesakes(linkKey(wanted))?.paths() ?? []
  return namesakes.filter((path) => isNote(path) && `/${path}`.toLowerCase().endsWith(tail))
}
