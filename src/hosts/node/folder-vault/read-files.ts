import { Failure } from '../../../core/errors.js'
import { pathFailure, tooLarge, unreadable } from '../../../core/vault/index.js'
import type { FileAccess, FileStat } from '../files/file-access.js'
import type { OpenPath, VaultFolder } from './vault-folders.js'

export interface RegularFile {
  bytes: Uint8Array
  stat: FileStat
}

/** Opens a path, checks that it is a regular file, and passes it to `work`. undefined if it is gone. */
export async function withRegularFile<T>(
  files: FileAccess,
  spot: OpenPath,
  work: (file: number, stat: FileStat) => Promise<T> | T,
): Promise<T | undefined> {
  if (spot.stat !== undefined && spot.stat.kind !== 'file') throw notRegular(spot)
  const file = await openRegular(files, spot)
  if (file === undefined) return undefined
  try {
    const stat = await files.statOpen(file)
    if (stat.kind !== 'file') throw notRegular(spot)
    return await work(file, stat)
  } finally {
    await files.close(file)
  }
}

/** All bytes of a regular file, as many as it had when it was opened. */
export async function readRegular(files: FileAccess, spot: OpenPath, limit: number): Promise<RegularFile | undefined> {
  return withRegularFile(files, spot, async (file, stat) => {
    if (stat.size > limit) throw tooLarge(spot.path, stat.size, limit)
    return { bytes: await readRange(files, file, 0, stat.size), stat }
  })
}

/**
 * The bytes of a plain file under exactly this name, in half the calls. undefined for anything else (a link, another
 * spelling, a file over the limit), which deserves a closer look.
 */
export async function readPlainFile(
  files: FileAccess,
  folder: VaultFolder,
  name: string,
  limit: number,
): Promise<RegularFile | undefined> {
  const file = await openOrNothing(files, folder.open.at(name))
  if (file === undefined) return undefined
  try {
    const stat = await files.statOpen(file)
    if (stat.kind !== 'file' || stat.size > limit) return undefined
    return { bytes: await readRange(files, file, 0, stat.size), stat }
  } finally {
    await files.close(file)
  }
}

async function openOrNothing(files: FileAccess, place: string): Promise<number | undefined> {
  try {
    return await files.open(place, 'read')
  } catch (error) {
    if (isNoPlainFile(error)) return undefined
    throw error
  }
}

// A link, or a socket.
function isNoPlainFile(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO'
}

export async function readRange(files: FileAccess, file: number, from: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  const count = await files.read(file, bytes, from)
  return count === length ? bytes : bytes.slice(0, count)
}

async function openRegular(files: FileAccess, spot: OpenPath): Promise<number | undefined> {
  try {
    return await files.open(spot.folder.open.at(spot.name), 'read')
  } catch (error) {
    // Swapped in since we looked.
    throw isNoPlainFile(error) ? notRegular(spot) : error
  }
}

function notRegular({ path, stat }: OpenPath) {
  if (stat?.kind === 'folder') return pathFailure(path, 'it is a folder')
  return pathFailure(path, 'it is not a regular file')
}

/** Errors of the whole process rather than of one file: they must not hide a file. */
const ofTheProcess = new Set(['EMFILE', 'ENFILE', 'ENOMEM'])

/**
 * Converts a refused read of one file into a sentence. `denied` lasts until the file's permissions change, which
 * updates its stamp; `internal` may be temporary. Other errors are unchanged.
 */
export function readFailure(error: unknown, path: string): unknown {
  const why = barredReason(error)
  if (why === undefined || error instanceof Failure) return error
  const code = codeOf(error)
  if (code === 'ELOOP')
    return caused(
      unreadable(path, 'path', why, { hint: 'Use the path of the file itself, or remove the link.' }),
      error,
    )
  const isDenied = code === 'EACCES' || code === 'EPERM'
  const failure = isDenied
    ? unreadable(path, 'denied', why, {
        hint: 'Allow reading it: chmod u+r for a file, u+rx for a folder.',
      })
    : unreadable(path, 'internal', why, { hint: 'Try again. If it happens again, check the disk.' })
  return caused(failure, error)
}

/** For a file that was there a moment ago. */
export function fileVanished(path: string): Failure {
  return unreadable(path, 'internal', 'it was removed while it was being read', {
    hint: 'Check that it exists, then try again.',
  })
}

/** Reason why one file could not be read; undefined for other errors. */
export function barredReason(error: unknown): string | undefined {
  if (error instanceof Failure)
    return error.code === 'path' ? 'its path contains a link that is not followed' : undefined
  const code = codeOf(error)
  if (typeof code !== 'string' || !/^E(?!RR_)[A-Z0-9]+$/.test(code) || ofTheProcess.has(code)) return undefined
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `no permission to read it (${code})`
    case 'ELOOP':
      return 'it is a circular link'
    default:
      return `the disk reports an error (${code})`
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

function caused(failure: Failure, cause: unknown): Failure {
  failure.cause = cause
  return failure
}
