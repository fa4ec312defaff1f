import { type FileStamp, isNote, type NotePath, type VaultReading } from '../vault/index.js'
import type { QueryVectors } from './embeddings/query-vectors.js'
import { eraseHidden } from './erase-hidden.js'
import { indexRun, isRead, OtherWriterCommitted } from './index-run.js'
import type { IndexStore, KnownFile } from './index-store.js'
import { type IndexView, refreshView } from './index-view.js'
import type { IndexWriter } from './index-writer.js'
import { fileNames } from './links/index.js'
import type { Embedder } from './semantic/index.js'
import { findUnseenChanges, isReadOtherwise, type UnseenChanges } from './unseen-changes.js'
import { yieldToHost } from './yield-to-host.js'

export interface IndexProgress {
  phase: 'listing' | 'reading' | 'vectors' | 'merging' | 'embedding'
  done: number
  total: number
}

export interface WorkOptions {
  signal?: AbortSignal
  onProgress?: (progress: IndexProgress) => void
  /** Milliseconds of work between pauses that let the host do something else; a worker of its own needs none. */
  yieldEveryMs?: number
  /** While there is something to wait for, nothing is done: the host has been put aside. */
  resting?: () => Promise<void> | undefined
}

/** The vault, the store, and the engine's view of the store: what every part of the index works on. */
export interface OpenIndex {
  readonly vault: VaultReading
  readonly store: IndexStore
  /** What takes over what the next run reads; told how many notes that are, if it touches no others. */
  newWriter(notes?: number): IndexWriter
  /** A provider's model, when one is configured. */
  readonly embedder?: Embedder
  readonly queries?: QueryVectors
  view: IndexView
}

/** Indexes what the vault has and the index does not know; `unseen` spares a second look where one was just taken. */
export async function catchUp(
  index: OpenIndex,
  { unseen, ...options }: WorkOptions & { unseen?: UnseenChanges } = {},
): Promise<void> {
  let seen = unseen
  for (;;) {
    index.view = await refreshView(index.store, index.view)
    if (await isReadOtherwise(index)) {
      await index.store.clear()
      continue
    }
    options.onProgress?.({ phase: 'listing', done: 0, total: 0 })
    const isGood = seen?.generation === index.view.generation
    const found = seen && isGood ? seen : await findUnseenChanges(index, { signal: options.signal })
    seen = undefined
    if (found.count === 0) return eraseHidden(index)
    try {
      await indexFiles(index, found, options)
      return await eraseHidden(index)
    } catch (error) {
      if (!(error instanceof OtherWriterCommitted)) throw error
    }
  }
}

async function indexFiles(index: OpenIndex, unseen: UnseenChanges, options: WorkOptions): Promise<void> {
  const { changed, gone, disk, known } = unseen
  const knownByPath = new Map(known.map((file) => [file.path, file]))
  const { reading } = await index.vault.linkSettings()
  const names = fileNames(visiblePaths(disk, knownByPath), reading)
  const pause = yieldToHost(options.yieldEveryMs, options.resting)
  await index.vault.reading(
    async (read) => {
      const { store, view } = index
      const writer = index.newWriter()
      const bytes = changed.reduce((sum, { path, size }) => sum + (isNote(path) ? size : 0), 0)
      const run = indexRun({ read, store, writer, view, names, bytes })
      for (const file of gone) run.gone(file, await index.vault.isClosed(file.path))
      try {
        for (const [done, stamp] of changed.entries()) {
          options.signal?.throwIfAborted()
          if (done % 50 === 0) options.onProgress?.({ phase: 'reading', done, total: changed.length })
          await run.look(stamp, knownByPath.get(stamp.path))
          await pause()
        }
        await run.finish()
      } finally {
        await run.allWritten()
      }
    },
    changed.filter(isRead).map(({ path }) => path),
  )
  options.onProgress?.({ phase: 'reading', done: changed.length, total: changed.length })
  index.view.names = names
}

function visiblePaths(disk: readonly FileStamp[], known: ReadonlyMap<NotePath, KnownFile>): NotePath[] {
  const isVisible = ({ path, barred }: FileStamp) => barred === undefined && known.get(path)?.state !== 'hidden'
  return disk.filter(isVisible).map(({ path }) => path)
}
