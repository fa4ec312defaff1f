import { decodeNote, isNote, isPrivateNote } from '../../../core/vault/index.js'
import type { FileAccess } from '../files/index.js'
import { readRange, withRegularFile } from './read-regular.js'
import type { Spot } from './vault-folders.js'

const headBytes = 262_144

/** Whether a note of any size is private: its frontmatter stands at the start, so the start is enough. */
export async function isPrivateFile(files: FileAccess, spot: Spot): Promise<boolean> {
  if (!isNote(spot.path)) return false
  const isPrivate = await withRegularFile(files, spot, async (file, { size }) => {
    const head = await readRange(files, file, 0, Math.min(size, headBytes))
    return isPrivateNote(decodeNote(head).text)
  })
  return isPrivate === true
}
