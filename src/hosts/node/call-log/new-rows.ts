import type { FileAccess } from '../files/index.js'
import { currentName, withLogFiles } from './log-files.js'
import { rowsOf } from './rows-of.js'
import type { StoredRow } from './stored-row.js'

/** How far a reader has come: the last row it saw, and where in which file that row ends. */
export interface LogPosition {
  n: number
  identity?: string
  offset: number
}

/** Rows written since, and the new place. Usually these are the last bytes of one file. */
export async function newRows(
  files: FileAccess,
  folder: string,
  place: LogPosition,
): Promise<{ rows: StoredRow[]; place: LogPosition }> {
  const current = await files.stat(`${folder}/${currentName}`)
  if (current === undefined || (current.identity === place.identity && current.size === place.offset)) {
    return { rows: [], place }
  }
  return withLogFiles(files, folder, async (opened) => {
    const found: StoredRow[] = []
    let end: LogPosition | undefined
    for (const file of [...opened].reverse()) {
      const isKnown = file.identity === place.identity
      const { rows, length } = await rowsOf(file, isKnown ? place.offset : 0)
      end ??= { n: rows.at(-1)?.n ?? place.n, identity: file.identity, offset: length }
      const fresh = rows.filter(({ n }) => n > place.n)
      found.unshift(...fresh)
      if (isKnown || fresh.length < rows.length) break
    }
    return { rows: found, place: end ?? place }
  })
}
