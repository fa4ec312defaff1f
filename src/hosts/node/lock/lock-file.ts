import { type FileAccess, readWhole } from '../files/index.js'
import { holderIn, isAlive, type LockHolder } from './lock-holder.js'

/** What lies under a lock's name. `strange`: nothing that Notewright has put there, so it is not ours to take away. */
export type LockFile =
  | { kind: 'held'; holder: LockHolder }
  | { kind: 'dead'; token: string }
  | { kind: 'strange'; what: string }

/** undefined when there is nothing. */
export async function readLock(
  files: FileAccess,
  path: string,
  alive: (holder: LockHolder) => boolean = isAlive,
): Promise<LockFile | undefined> {
  const stat = await files.stat(path)
  if (stat === undefined) return undefined
  if (stat.kind !== 'file') return { kind: 'strange', what: `a ${stat.kind === 'other' ? 'device' : stat.kind}` }
  if (stat.size > mostBytes) return { kind: 'strange', what: 'a file that is not a lock' }
  const text = await textOf(files, path)
  if (typeof text !== 'string') return text
  // A lock appears with its content in one step. Only a power cut leaves nothing or a part of it, and with that its
  // holder is gone.
  if (/^\0*$/.test(text) || /^\{"pid":[^}]*$/.test(text)) return { kind: 'dead', token: 'empty' }
  const holder = holderIn(text)
  if (holder === undefined) return { kind: 'strange', what: 'a file that is not a lock' }
  return alive(holder) ? { kind: 'held', holder } : { kind: 'dead', token: holder.token }
}

const mostBytes = 4096

async function textOf(files: FileAccess, path: string): Promise<string | LockFile | undefined> {
  try {
    const bytes = await readWhole(files, path)
    return bytes && Buffer.from(bytes).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    return { kind: 'strange', what: 'a file that you may not read' }
  }
}
