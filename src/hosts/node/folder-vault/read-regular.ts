import { pathFailure, tooLarge } from '../../../core/vault/index.js'
import type { FileAccess, FileStat } from '../files/index.js'
import type { Spot, VaultFolder } from './vault-folders.js'

export interface RegularFile {
  bytes: Uint8Array
  stat: FileStat
}

/** Opens what is at a spot, makes sure that it is a regular file, and hands it to `work`. undefined when it is gone. */
export async function withRegularFile<T>(
  files: FileAccess,
  spot: Spot,
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
export async function readRegular(files: FileAccess, spot: Spot, limit: number): Promise<RegularFile | undefined> {
  return withRegularFile(files, spot, async (file, stat) => {
    if (stat.size > limit) throw tooLarge(spot.path, stat.size, limit)
    return { bytes: await readRange(files, file, 0, stat.size), stat }
  })
}

/**
 * The bytes of a plain file under exactly this name, in half the calls. undefined for anything else (a link, another
 * spelling, a file over the limit), which deserves a closer look.
 */
export async function readPlainly(
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

async function openRegular(files: FileAccess, spot: Spot): Promise<number | undefined> {
  try {
    return await files.open(spot.folder.open.at(spot.name), 'read')
  } catch (error) {
    // Swapped in since we looked.
    throw isNoPlainFile(error) ? notRegular(spot) : error
  }
}

function notRegular({ path, stat }: Spot) {
  if (stat?.kind === 'folder') return pathFailure(path, 'it is a folder')
  return pathFailure(path, 'it is not a regular file')
}
