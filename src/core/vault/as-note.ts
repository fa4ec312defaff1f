import { decodeNote } from './decode-note.js'
import { hashBytes } from './hash-bytes.js'
import { isNote } from './note-path.js'
import { isPrivateNote } from './private-note.js'
import type { NoteFile, RawNote } from './vault.js'

/** undefined for a private note: it answers like one that is not there. */
export function asNote(raw: RawNote): NoteFile | undefined {
  const { text, encoding } = decodeNote(raw.bytes)
  if (isNote(raw.path) && isPrivateNote(text)) return undefined
  return { ...raw, text, encoding, hash: hashBytes(raw.bytes) }
}
