import { hash } from 'node:crypto'
import {
  decodeNote,
  endsInFrontmatter,
  isNote,
  isPrivateNote,
  type NoteFile,
  type NotePath,
} from '../../../core/vault/index.js'
import type { FileAccess } from '../files/file-access.js'
import { type RegularFile, readRange, withRegularFile } from './read-files.js'
import type { OpenPath } from './vault-folders.js'

/** undefined for a private note: it answers like one that is not there. */
export function noteUnlessPrivate(path: NotePath, file: RegularFile): NoteFile | undefined {
  const note = noteFileOf(path, file)
  return isNote(path) && isPrivateNote(note.text) ? undefined : note
}

/** Without checking privacy. */
export function noteFileOf(path: NotePath, { bytes, stat }: RegularFile): NoteFile {
  const { text, encoding } = decodeNote(bytes)
  const { mtimeMs, ctimeMs } = stat
  return { path, size: bytes.length, mtimeMs, ctimeMs, bytes, text, hash: hash('sha256', bytes), encoding }
}

const headBytes = 256 << 10
/** No program takes so much for properties. */
const mostBytes = 16 << 20

/** True if a note of any size is private: its frontmatter is at the start, so only that much is read. */
export async function isPrivateFile(files: FileAccess, spot: OpenPath): Promise<boolean> {
  if (!isNote(spot.path)) return false
  const isPrivate = await withRegularFile(files, spot, async (file, { size }) => {
    for (let wanted = headBytes; ; wanted *= 8) {
      const head = await readRange(files, file, 0, Math.min(size, wanted))
      const { text } = decodeNote(head)
      if (wanted >= Math.min(size, mostBytes) || !endsInFrontmatter(text)) return isPrivateNote(text)
    }
  })
  return isPrivate === true
}
