import { hash } from 'node:crypto'
import type { ContentHash } from '../../../core/vault/index.js'
import type { FileAccess, FileStat } from '../files/index.js'
import { codeOf } from './file-moves.js'

/** A file as the recovery sees it. */
export interface SeenFile {
  stat: FileStat
  /** '' for what is no file of ours: a link, a pipe, a file that may not be read any more. */
  hash: ContentHash
}

export async function seeFile(files: FileAccess, path: string): Promise<SeenFile | undefined> {
  const stat = await files.stat(path)
  if (stat === undefined) return undefined
  if (stat.kind !== 'file') return { stat, hash: '' }
  const file = await openToSee(files, path)
  if (file === 'closed') return { stat, hash: '' }
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

async function openToSee(files: FileAccess, path: string): Promise<number | 'closed' | undefined> {
  try {
    return await files.open(path, 'read')
  } catch (error) {
    if (['EACCES', 'EPERM', 'ELOOP'].includes(codeOf(error) ?? '')) return 'closed'
    throw error
  }
}
