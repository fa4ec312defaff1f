import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isNote, type NotePath } from '../../../core/vault/index.js'

/** So many folders are looked into: enough for a folder of folders, and no walk through a whole disk. */
const mostFolders = 200

/** Whether there are notes in a folder or not far below it. Hidden folders and those of other programs do not count. */
export function holdsMarkdown(root: string): boolean {
  const folders = [root]
  for (let looked = 0; looked < Math.min(folders.length, mostFolders); looked++) {
    for (const entry of entriesOf(folders[looked])) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      if (entry.isFile() && isNote(entry.name as NotePath)) return true
      if (entry.isDirectory()) folders.push(join(folders[looked], entry.name))
    }
  }
  return false
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
