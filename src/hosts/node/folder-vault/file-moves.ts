import { hash } from 'node:crypto'
import { type ContentHash, changedConflict, pathTakenConflict } from '../../../core/vault/index.js'
import { type FileAccess, type FileStat, writeNew } from '../files/file-access.js'

// Single moves of files that never lose concurrent writes of other programs.

/** Asked right before a file is replaced or removed: whether it is the expected one. */
export type IsExpected = (now: FileStat) => Promise<boolean> | boolean

export interface ReleasedFile {
  place: string
  /** For messages. */
  path: string
  isExpected: IsExpected
  /** Names for bytes saved concurrently, to try one after the other: an interrupted process may have left some. */
  kept(attempt: number): string
  /** Closes the old file, now or later. */
  close(file: number): Promise<void> | void
}

/**
 * Replaces or removes a file (`act`) that must still be the expected one. Meanwhile it has a second name and is held
 * open: bytes that an editor saves into it at this moment are found there, also after a kill, and put back in place.
 */
export async function releaseFile(
  files: FileAccess,
  released: ReleasedFile,
  act: () => Promise<void> | void,
): Promise<void> {
  const { place, path, isExpected, close } = released
  const old = await files.open(place, 'read')
  if (old === undefined) throw changedConflict(path)
  try {
    const before = await files.statOpen(old)
    await mustBeExpected(files, place, path, isExpected)
    const { kept, isNamed } = await secondNameFor(files, place, released.kept)
    await act()
    const after = await files.statOpen(old)
    if (after.size === before.size && after.mtimeMs === before.mtimeMs) {
      if (isNamed) await removeIfThere(files, kept)
      return
    }
    if (!isNamed) await keepBytes(files, old, after, kept)
    await files.rename(kept, place)
  } finally {
    await close(old)
  }
  throw changedConflict(path)
}

/** Links the first free name. On a disk without hard links the name is only found, not linked. */
async function secondNameFor(
  files: FileAccess,
  place: string,
  nameOf: (attempt: number) => string,
): Promise<{ kept: string; isNamed: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const kept = nameOf(attempt)
    try {
      await files.link(place, kept)
      return { kept, isNamed: true }
    } catch (error) {
      const code = codeOf(error) ?? ''
      if (noHardLinks.includes(code) && (await files.stat(kept)) === undefined) return { kept, isNamed: false }
      if (code !== 'EEXIST' && !noHardLinks.includes(code)) throw error
    }
  }
}

async function keepBytes(files: FileAccess, old: number, { size, mode }: FileStat, kept: string): Promise<void> {
  const bytes = new Uint8Array(size)
  const count = await files.read(old, bytes, 0)
  await writeNew(files, kept, bytes.subarray(0, count), mode & 0o777)
}

export async function mustBeExpected(
  files: FileAccess,
  place: string,
  path: string,
  isExpected: IsExpected,
): Promise<void> {
  const now = await files.stat(place)
  if (now === undefined || !(await isExpected(now))) throw changedConflict(path)
}

const noHardLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/** Adds a second name, or on a disk without hard links (exFAT, some network shares) renames. Never over another file. */
export async function linkOrRename(files: FileAccess, from: string, onto: string, path: string): Promise<void> {
  try {
    await files.link(from, onto)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw pathTakenConflict(path)
    if (!noHardLinks.includes(code ?? '')) throw error
    if ((await files.stat(onto)) !== undefined) throw pathTakenConflict(path)
    await files.rename(from, onto)
  }
}

export async function removeIfThere(files: FileAccess, path: string): Promise<void> {
  try {
    await files.remove(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** A file with the hash of its bytes. */
export interface FileState {
  stat: FileStat
  /** '' for anything that is not a readable regular file: a link, a pipe, a file without permission. */
  hash: ContentHash
}

export async function fileState(files: FileAccess, path: string): Promise<FileState | undefined> {
  const stat = await files.stat(path)
  if (stat === undefined) return undefined
  if (stat.kind !== 'file') return { stat, hash: '' }
  const file = await openIfAllowed(files, path)
  if (file === 'forbidden') return { stat, hash: '' }
  if (file === undefined) return undefined
  try {
    const stat = await files.statOpen(file)
    const bytes = new Uint8Array(stat.size)
    const count = await files.read(file, bytes, 0)
    return { stat, hash: hash('sha256', bytes.subarray(0, count)) }
  } finally {
    await files.close(file)
  }
}

async function openIfAllowed(files: FileAccess, path: string): Promise<number | 'forbidden' | undefined> {
  try {
    return await files.open(path, 'read')
  } catch (error) {
    if (['EACCES', 'EPERM', 'ELOOP'].includes(codeOf(error) ?? '')) return 'forbidden'
    throw error
  }
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
