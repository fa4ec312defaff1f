import { type FileStamp, isNote, type NotePath } from '../vault/index.js'
import { eraseHidden } from './compact.js'
import { indexRun, isRead, WriteConflict, writeConflicts } from './index-run.js'
import { type IndexedFile, isLinkTarget } from './index-store.js'
import { type OpenIndex, refreshView, type WorkOptions } from './index-view.js'
import { fileNames } from './links/file-names.js'
import { findUnseenChanges, hasOtherLinkRules, type UnseenChanges } from './unseen-changes.js'
import { yieldToHost } from './yield-to-host.js'

/** Indexes all changes of the vault. `unseen` avoids a second look if one was just taken. */
export async function readChanges(
  index: OpenIndex,
  { unseen, ...options }: WorkOptions & { unseen?: UnseenChanges | undefined } = {},
): Promise<void> {
  let seen = unseen
  const conflicts = writeConflicts(index.store)
  for (;;) {
    index.view = await refreshView(index.store, index.view)
    if (await hasOtherLinkRules(index)) {
      await index.store.clear()
      index.view = await refreshView(index.store, undefined)
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
      if (!(error instanceof WriteConflict)) throw error
      await conflicts.wait(found.count, options.signal)
    }
  }
}

async function indexFiles(index: OpenIndex, unseen: UnseenChanges, options: WorkOptions): Promise<void> {
  const { changed, gone, disk, known } = unseen
  const knownByPath = new Map(known.map((file) => [file.path, file]))
  const { reading } = await index.vault.linkSettings()
  const names = fileNames(visiblePaths(disk, knownByPath), reading)
  const pause = yieldToHost(options.yieldEveryMs, options.paused)
  // Progress of an interrupted first run continues where it was.
  const left = changed.filter(isRead).length
  const before = index.view.state.isWhole ? 0 : disk.filter(isRead).length - left
  const total = before + left
  await index.vault.reading(
    async (read) => {
      const { store, view } = index
      const writer = index.newWriter()
      const bytes = changed.reduce((sum, { path, size }) => sum + (isNote(path) ? size : 0), 0)
      const run = indexRun({ read, store, writer, view, names, bytes })
      for (const file of gone) run.removeFile(file, await index.vault.isClosed(file.path))
      let done = before
      options.onProgress?.({ phase: 'reading', done, total })
      try {
        for (const stamp of changed) {
          options.signal?.throwIfAborted()
          await run.indexFile(stamp, knownByPath.get(stamp.path))
          if (isRead(stamp) && ++done % 50 === 0) options.onProgress?.({ phase: 'reading', done, total })
          await pause()
        }
        await run.finish({ isWhole: true })
      } finally {
        await run.allWritten()
      }
    },
    changed.filter(isRead).map(({ path }) => path),
  )
  options.onProgress?.({ phase: 'reading', done: total, total })
  index.view.names = names
}

function visiblePaths(disk: readonly FileStamp[], known: ReadonlyMap<NotePath, IndexedFile>): NotePath[] {
  const isVisible = ({ path, barred }: FileStamp) => barred === undefined && known.get(path)?.state !== 'hidden'
  return disk.filter(isVisible).map(({ path }) => path)
}

/** Size of a piece of rows: most change sets are written in one transaction. */
const wholeBytes = 1 << 20

/** Indexes only these paths in their current state, after a change set, so that the next search finds them. */
export async function indexPaths(index: OpenIndex, paths: readonly NotePath[]): Promise<void> {
  const conflicts = writeConflicts(index.store)
  for (;;) {
    index.view = await refreshView(index.store, index.view)
    const { vault, store, view } = index
    const known = await store.files()
    const knownByPath = new Map(known.map((file) => [file.path, file]))
    const visible = known.filter(isLinkTarget).map(({ path }) => path)
    // An empty index adopts the current link rules.
    const { reading } = view.state.nextId === 1 ? await vault.linkSettings() : view.state
    const names = fileNames(visible, reading)
    const present = await stampsOf(index, paths)
    const gone = paths.filter((path) => !present.has(path))
    for (const path of gone) names.remove(path)
    for (const path of present.keys()) names.add(path)

    const writer = index.newWriter(present.size)
    const rowsBytes = writer.pieceBytes ?? wholeBytes
    const run = indexRun({ read: (path) => vault.read(path), store, writer, view, names, rowsBytes })
    const pause = yieldToHost()
    try {
      for (const path of gone) {
        const before = knownByPath.get(path)
        if (before !== undefined) run.removeFile(before, await vault.isClosed(path))
      }
      for (const [path, stamp] of present) {
        await run.indexFile(stamp, knownByPath.get(path))
        await pause()
      }
      await run.finish()
      index.view.names = names
      return await eraseHidden(index)
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
    } finally {
      await run.allWritten()
      await writer.close?.()
    }
    await conflicts.wait(paths.length)
  }
}

/**
 * Stamps of existing files under their current spelling. A vault also finds `plan.md` if it is now `Plan.md`: then the
 * old spelling counts as removed.
 */
async function stampsOf({ vault }: OpenIndex, paths: readonly NotePath[]): Promise<Map<NotePath, FileStamp>> {
  const present = new Map<NotePath, FileStamp>()
  const pause = yieldToHost()
  for (const path of paths) {
    await pause()
    const stamp = await vault.stat(path)
    if (stamp !== undefined) present.set(stamp.path, stamp)
  }
  return present
}
