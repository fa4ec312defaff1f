import type { FileStamp, NotePath } from '../vault/index.js'
import type { OpenIndex } from './catch-up.js'
import { eraseHidden } from './erase-hidden.js'
import { indexRun, OtherWriterCommitted } from './index-run.js'
import { isName } from './index-store.js'
import { refreshView } from './index-view.js'
import { fileNames } from './links/index.js'
import { yieldToHost } from './yield-to-host.js'

/** Indexes just these paths, as they are now: what a change set calls, so that the next search sees it. */
export async function indexPaths(index: OpenIndex, paths: readonly NotePath[]): Promise<void> {
  for (;;) {
    index.view = await refreshView(index.store, index.view)
    const known = await index.store.files()
    const knownByPath = new Map(known.map((file) => [file.path, file]))
    const names = fileNames(known.filter(isName).map(({ path }) => path))
    const present = new Map<NotePath, FileStamp>()
    for (const path of paths) {
      const stamp = await index.vault.stat(path)
      if (stamp === undefined) names.remove(path)
      else {
        names.add(path)
        present.set(path, stamp)
      }
    }

    const { vault, store, view } = index
    const writer = index.newWriter()
    const run = indexRun({ read: (path) => vault.read(path), store, writer, view, names })
    const pause = yieldToHost()
    try {
      for (const path of paths) {
        const stamp = present.get(path)
        const before = knownByPath.get(path)
        if (stamp !== undefined) await run.look(stamp, before)
        else if (before !== undefined) run.gone(before, await vault.isClosed(path))
        await pause()
      }
      await run.finish()
      index.view.names = names
      return await eraseHidden(index)
    } catch (error) {
      if (!(error instanceof OtherWriterCommitted)) throw error
    } finally {
      await run.allWritten()
    }
  }
}
