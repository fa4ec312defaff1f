import type { AppliedChangeSet, ChangeSet, NotePath } from '../vault/index.js'
import { bringUpToDate } from './bring-up-to-date.js'
import type { OpenParts } from './open-parts.js'
import { withRepair } from './repair.js'

/** A change set of so many is read on the spot: who planned it has read the notes before, and knows which they are. */
const manyPaths = 3000

/** Writes, and lets the index see it before the caller gets an answer. */
export async function applyAndIndex(parts: OpenParts, changeSet: ChangeSet): Promise<AppliedChangeSet> {
  const applied = await parts.vault.apply(changeSet)
  const paths = applied.changes.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]))
  try {
    if (paths.length > manyPaths) await bringUpToDate(parts, { vectors: false, isLarge: true })
    else {
      await withRepair(parts, async () => {
        await parts.index.indexPaths([...new Set(paths)].filter(isVisible))
        await parts.index.finishVectors({ fit: false })
      })
    }
  } catch {
    // The notes are written, and whoever hears otherwise would write them again. Freshness tells the rest.
    parts.unseen = undefined
  }
  return applied
}

/** What went to the trash, or came from it, has a name the index never sees. */
const isVisible = (path: NotePath): boolean => !path.split('/').some((segment) => segment.startsWith('.'))
