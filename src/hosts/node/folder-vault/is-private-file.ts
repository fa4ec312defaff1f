import { decodeNote, endsInFrontmatter, isNote, isPrivateNote } from '../../../core/vault/index.js'
import type { FileAccess } from '../files/index.js'
import { readRange, withRegularFile } from './read-regular.js'
import type { Spot } from './vault-folders.js'

const headBytes = 256 << 10
/** No program takes so much for properties. */
const mostBytes = 16 << 20

/** Whether a note of any size is private: its frontmatter stands at the start, so as much is read as that takes. */
export async function isPrivateFile(files: FileAccess, spot: Spot): Promise<boolean> {
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
