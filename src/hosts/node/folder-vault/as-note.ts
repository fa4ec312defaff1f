import { hash } from 'node:crypto'
import { decodeNote, isNote, isPrivateNote, type NoteFile, type NotePath } from '../../../core/vault/index.js'
import type { RegularFile } from './read-regular.js'

/** undefined for a private note: it answers like one that is not there. */
export function asNote(path: NotePath, { bytes, stat }: RegularFile): NoteFile | undefined {
  const { text, encoding } = decodeNote(bytes)
  if (isNote(path) && isPrivateNote(text)) return undefined
  const { mtimeMs, ctimeMs } = stat
  return { path, size: bytes.length, mtimeMs, ctimeMs, bytes, text, hash: hash('sha256', bytes), encoding }
}
