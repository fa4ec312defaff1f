import { Failure } from '../../errors.js'
import type { ReadableVault } from '../../tools/index.js'
import { type Change, type ChangeSet, listHunks, type NotePath } from '../../vault/index.js'
import type { ChangeHunks } from './approval-request.js'

/** The hunks of a set that can be accepted one by one; undefined when there are not two of them. */
export async function listHunksOf(
  set: ChangeSet,
  vault: Pick<ReadableVault, 'read'>,
): Promise<ChangeHunks[] | undefined> {
  const listed: ChangeHunks[] = []
  const origins = new Map<NotePath, NotePath>()
  for (const [index, change] of set.changes.entries()) {
    if (change.kind === 'move') origins.set(change.to, origins.get(change.path) ?? change.path)
    if (change.kind !== 'edit' || isBuiltOn(set.changes.slice(index + 1), change.path)) continue
    const base = await readable(vault, origins.get(change.path) ?? change.path)
    if (base === undefined || base.hash !== change.before || base.encoding !== 'utf-8') continue
    listed.push({ change: index, path: change.path, hunks: listHunks(base.bytes, change.after) })
  }
  return listed.reduce((sum, { hunks }) => sum + hunks.length, 0) > 1 ? listed : undefined
}

/** What a later step takes as its base cannot be taken apart. */
const isBuiltOn = (later: readonly Change[], path: NotePath): boolean => later.some((change) => change.path === path)

async function readable(vault: Pick<ReadableVault, 'read'>, path: NotePath) {
  try {
    return await vault.read(path)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
