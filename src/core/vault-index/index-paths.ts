import type { FileStamp, NotePath } from '../vault/index.js'
import type { OpenIndex } from './catch-up.js'
import { eraseHidden } from './erase-hidden.js'
import { indexRun, OtherWriterCommitted } from './index-run.js'
import { isName } from './index-store.js'
import { refreshView } from './index-view.js'
import { fileNames } from './links/index.js'
import { yieldToHost } from './yield-to-host.js'

/** What one change set touches is mostly written in one go. */
const wholeBytes = 8 << 20

/** Indexes just these paths, as they are now: what a change set calls, so that the next search sees it. */
export async function indexPaths(index: OpenIndex, paths: readonly NotePath[]): Promise<void> {
  for (;;) {
    index.view = await refreshView(index.store, index.view)
    const { vault, store, view } = index
    const known = await store.files()
    const knownByPath = new Map(known.map((file) => [file.path, file]))
    const visible = known.filter(isName).map(({ path }) => path)
    // An index that has seen nothing takes over how this folder is read.
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
        if (before !== undefined) run.gone(before, await vault.isClosed(path))
      }
      for (const [path, stamp] of present) {
        await run.look(stamp, knownByPath.get(path))
        await pause()
      }
      await run.finish()
      index.view.names = names
      return await eraseHidden(index)
    } catch (error) {
      if (!(error instanceof OtherWriterCommitted)) throw error
    } finally {
      await run.allWritten()
      await writer.close?.()
    }
  }
}

/**
 * What is there, under the spelling it has now. A vault finds `plan.md` also when it is `Plan.md` by now: the old
 * spelling is then a name that nobody has.
 */
async function stampsOf({ vault }: OpenIndex, paths: readonly NotePath[]): Promise<Map<NotePath, FileStamp>> {
  const present = new Map<NotePath, FileStamp>()
  for (const path of paths) {
    const stamp = await vault.stat(path)
    if (stamp !== undefined) present.set(stamp.path, stamp)
  }
  return present
}
