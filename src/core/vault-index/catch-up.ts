import { type FileStamp, isNote, type NotePath, type Vault } from '../vault/index.js'
import { compareFiles } from './compare-files.js'
import { knowsAll, rememberListing } from './count-behind.js'
import { indexRun, Overtaken } from './index-run.js'
import type { IndexStore, KnownFile } from './index-store.js'
import { type IndexView, refreshView } from './index-view.js'
import type { IndexWriter } from './index-writer.js'
import { fileNames } from './links/index.js'
import { type Listing, listVault } from './listing.js'
import { compareText } from './note-facts.js'
import { pauser } from './pauser.js'
import type { Embedder } from './semantic/index.js'

export interface IndexProgress {
  phase: 'listing' | 'reading' | 'vectors' | 'merging'
  done: number
  total: number
}

export interface WorkOptions {
  signal?: AbortSignal
  onProgress?: (progress: IndexProgress) => void
  /** Milliseconds of work between pauses that let the host do something else; a worker of its own needs none. */
  breatheEvery?: number
}

/** The vault, the store, and the engine's view of the store: what every part of the index works on. */
export interface OpenIndex {
  readonly vault: Vault
  readonly store: IndexStore
  /** What takes over what the next run reads. */
  newWriter(): IndexWriter
  /** A provider's model, when one is configured. */
  readonly embedder?: Embedder
  view: IndexView
}

/** Compares the vault's files with what the index knows, and indexes the difference. */
export async function catchUp(
  index: OpenIndex,
  { listing, ...options }: WorkOptions & { listing?: Listing } = {},
): Promise<void> {
  for (;;) {
    index.view = await refreshView(index.store, index.view)
    options.onProgress?.({ phase: 'listing', done: 0, total: 0 })
    const { files, sum } = listing ?? (await listVault(index.vault, options.signal))
    listing = undefined
    if (knowsAll(index.view.state, sum)) return
    // Notes of one folder are read one after the other.
    const disk = files.sort((a, b) => compareText(a.path, b.path))
    const known = await index.store.files()
    const { changed, gone } = compareFiles(disk, known, index.view.state.searchableBelow)
    if (changed.length + gone.length + index.view.state.pendingNames.length === 0) return rememberListing(index, sum)
    try {
      return await indexFiles(index, { changed, gone, disk, known }, options)
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
    }
  }
}

interface Files {
  changed: FileStamp[]
  gone: KnownFile[]
  disk: readonly FileStamp[]
  known: readonly KnownFile[]
}

async function indexFiles(index: OpenIndex, files: Files, options: WorkOptions): Promise<void> {
  const { changed, gone, disk, known } = files
  const knownByPath = new Map(known.map((file) => [file.path, file]))
  const names = fileNames(visiblePaths(disk, knownByPath))
  const pause = pauser(options.breatheEvery)
  await index.vault.reading(async (read) => {
    const { store, view } = index
    const writer = index.newWriter()
    const bytes = changed.reduce((sum, { path, size }) => sum + (isNote(path) ? size : 0), 0)
    const run = indexRun({ read, store, writer, view, names, bytes })
    for (const file of gone) run.gone(file)
    try {
      for (const [done, stamp] of changed.entries()) {
        options.signal?.throwIfAborted()
        if (done % 50 === 0) options.onProgress?.({ phase: 'reading', done, total: changed.length })
        await run.look(stamp, knownByPath.get(stamp.path))
        await pause()
      }
      await run.finish()
    } finally {
      await run.settled()
    }
  })
  options.onProgress?.({ phase: 'reading', done: changed.length, total: changed.length })
  index.view.names = names
}

function visiblePaths(disk: readonly FileStamp[], known: ReadonlyMap<NotePath, KnownFile>): NotePath[] {
  return disk.filter(({ path }) => known.get(path)?.state !== 'hidden').map(({ path }) => path)
}
