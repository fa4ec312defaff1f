import { hash } from 'node:crypto'
import { decodeNote, isNote, isPrivateNote, type NoteFile, type NotePath } from '../../../core/vault/index.js'
import type { RegularFile } from './read-regular.js'

/** undefined for a private note: it answers like one that is not there. */
export function asNote(path: NotePath, file: RegularFile): NoteFile | undefined {
  const note = noteFileOf(path, file)
  return isNote(path) && isPrivateNote(note.text) ? undefined : note
}

/** Whatever its text says. */
export function noteFileOf(path: NotePath, { bytes, stat }: RegularFile): NoteFile {
  const { text, encoding } = decodeNote(bytes)
  const { mtimeMs, ctimeMs } = stat
  return { path, size: bytes.length, mtimeMs, ctimeMs, bytes, text, hash: hash('sha256', bytes), encoding }
}
