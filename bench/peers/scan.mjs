import { readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { noteFiles } from '../vaults/note-files.mjs'

/** Search without an index, as the first commissioned plugin did it: look at each name, then read each file, until enough. */
export function scan(_folder, vault) {
  let files

  return {
    name: 'scan of every file',
    isWithoutIndex: true,
    build() {
      files = noteFiles(vault)
    },
    open() {
      files = noteFiles(vault)
    },
    query(text, limit) {
      const wanted = text.toLowerCase()
      const hits = []
      for (const file of files) {
        const isHit =
          basename(file, '.md').toLowerCase().includes(wanted) ||
          readFileSync(file, 'utf8').toLowerCase().includes(wanted)
        if (isHit && hits.push(relative(vault, file)) === limit) break
      }
      return hits
    },
    close() {},
  }
}
