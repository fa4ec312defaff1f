import type { FileAccess } from '../files/index.js'
import { lockFailure } from './lock-failures.js'
import { readLock } from './lock-file.js'
import { isElsewhere } from './lock-holder.js'

/** What is wrong with the lock of a folder, for whoever looks before anything has failed; undefined when nothing is. */
export async function describeLock(
  files: FileAccess,
  folder: string,
): Promise<{ text: string; advice: string } | undefined> {
  const path = `${folder}/lock`
  const found = await readLock(files, path)
  if (found === undefined || found.kind === 'dead') return undefined
  if (found.kind === 'held' && !isElsewhere(found.holder)) return undefined
  const { message, details } = lockFailure('The vault', path, found)
  return { text: message, advice: details.hint! }
}
