import type { FileStamp } from '../vault/index.js'
import type { KnownFile } from './index-store.js'

export interface FileDifference {
  /** New files, and files whose stamp is not the one the index knows. */
  changed: FileStamp[]
  gone: KnownFile[]
}

/**
 * What the index must look at again. A stamp is size, mtime and ctime: a write within the same millisecond that keeps
 * size and mtime still moves ctime. `searchableBelow` is the first document id whose segment was never finished.
 */
export function compareFiles(
  disk: readonly FileStamp[],
  known: readonly KnownFile[],
  searchableBelow = Number.POSITIVE_INFINITY,
): FileDifference {
  const byPath = new Map<string, KnownFile>()
  for (const file of known) byPath.set(file.path, file)

  const changed: FileStamp[] = []
  for (const stamp of disk) {
    const file = byPath.get(stamp.path)
    if (file === undefined || !isSame(stamp, file) || file.id >= searchableBelow) changed.push(stamp)
    byPath.delete(stamp.path)
  }
  return { changed, gone: [...byPath.values()] }
}

function isSame(stamp: FileStamp, file: KnownFile): boolean {
  return stamp.size === file.size && stamp.mtimeMs === file.mtimeMs && stamp.ctimeMs === file.ctimeMs
}
