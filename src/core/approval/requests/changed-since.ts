import { Failure } from '../../errors.js'
import type { ReadableVault } from '../../tools/index.js'
import type { ChangeSet, NotePath } from '../../vault/index.js'

/** The notes that are no longer what a change set was planned from. Applying would find out too; asking in vain is worse. */
export async function changedSince(set: ChangeSet, vault: Pick<ReadableVault, 'read' | 'stat'>): Promise<NotePath[]> {
  const changed = new Set<NotePath>()
  /** Paths that earlier steps of the set have taken into their hands. */
  const own = new Set<NotePath>()
  for (const change of set.changes) {
    const { kind, path } = change
    // A hidden note is read by nobody here; applying compares it.
    const isHidden = kind === 'edit' && change.hiddenBefore !== undefined
    if (!own.has(path) && !isHidden) {
      if (kind === 'create') {
        if ((await vault.stat(path)) !== undefined) changed.add(path)
      } else if (kind !== 'append' && change.before !== undefined) {
        if ((await hashOf(vault, path)) !== change.before) changed.add(path)
      }
    }
    own.add(path)
    if (kind === 'move') own.add(change.to)
  }
  return [...changed]
}

async function hashOf(vault: Pick<ReadableVault, 'read'>, path: NotePath): Promise<string | undefined> {
  try {
    return (await vault.read(path))?.hash
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
