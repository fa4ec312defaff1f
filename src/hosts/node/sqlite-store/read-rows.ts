import {
  compareText,
  IndexCorrupt,
  type KnownFile,
  type StoredChunk,
  type StoredLink,
  type StoredNote,
} from '../../../core/vault-index/index.js'
import { addTo, checksumOf, hashText } from './checksum.js'
import { type FoundLink, linksOf } from './link-rows.js'
import { fileFrom, noteFrom, type PackedFile } from './note-row.js'
import { placesPerNote } from './schema.js'
import { readAnyText } from './sql-text.js'
import type { Snapshot } from './store-state.js'

/** Long tables are read in parts, so that memory stays bounded. */
const rowsPerRead = 10_000

/** All files, or those in some states. All are read either way: only together do they add up. */
export function readFiles({ driver, state }: Snapshot, wanted?: readonly KnownFile['state'][]): KnownFile[] {
  const files: KnownFile[] = []
  let [sum, count, last] = [0, 0, '']
  for (;;) {
    const rows = driver.all(`SELECT path, row FROM files WHERE path > ? ORDER BY path LIMIT ${rowsPerRead}`, [last])
    for (const [, row] of rows) {
      sum = addTo(sum, hashText(`${row}`))
      // Reading a row takes longer than seeing that it cannot be wanted.
      if (wanted !== undefined && !wanted.some((each) => `${row}`.includes(`"${each}"`))) continue
      const file = fileFrom(JSON.parse(`${row}`) as PackedFile)
      if (wanted === undefined || wanted.includes(file.state)) files.push(file)
    }
    count += rows.length
    if (rows.length < rowsPerRead || count > state.files) break
    last = `${rows[rows.length - 1][0]}`
  }
  if (sum !== state.fileSum || count !== state.files) throw new IndexCorrupt('The files do not add up')
  return files.sort((a, b) => compareText(a.path, b.path))
}

/** Ids of the notes at these paths. What `documents` does not find, `files` may not know either. */
export function idsByPath({ driver, state }: Snapshot, paths: readonly string[]): Map<string, number> {
  if (state.files === 0 || paths.length === 0) return new Map()
  const wanted = [JSON.stringify(paths)]
  const where = 'WHERE path IN (SELECT value FROM json_each(?))'
  const ids = new Map(driver.all(`SELECT path, id FROM documents ${where}`, wanted) as [string, number][])
  const indexed = driver.all(`SELECT path, id FROM files ${where} AND state = 'indexed'`, wanted)
  if (indexed.length !== ids.size || indexed.some(([path, id]) => ids.get(path as string) !== id)) {
    throw new IndexCorrupt('Documents and files disagree')
  }
  return ids
}

/** Those of these ids that are notes. What `documents` does not find, `facts` may not know either. */
export function readNotes(snapshot: Snapshot, ids: readonly number[]): Map<number, StoredNote> {
  const found = foundNotes(snapshot, 'd.id', ids)
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0) {
    const where = 'facts WHERE id IN (SELECT value FROM json_each(?))'
    const known = snapshot.driver.first(`SELECT id FROM ${where}`, [JSON.stringify(missing)])
    if (known !== undefined) throw new IndexCorrupt('A note is missing')
  }
  return found
}

/** Those of these paths that are notes. */
export function readNotesAt(snapshot: Snapshot, paths: readonly string[]): StoredNote[] {
  const found = [...foundNotes(snapshot, 'd.path', paths).values()]
  const known = new Set(found.map(({ path }) => `${path}`))
  const missing = paths.filter((path) => !known.has(path))
  if (idsByPath(snapshot, missing).size > 0) throw new IndexCorrupt('A note is missing')
  return found
}

/** A note's checksum is of its stamp in `files` too: the two rows prove each other. */
function foundNotes({ driver }: Snapshot, column: 'd.id' | 'd.path', values: readonly (number | string)[]) {
  const found = new Map<number, StoredNote>()
  if (values.length === 0) return found
  const from = 'documents d LEFT JOIN files f ON f.path = d.path'
  const rows = driver.all(
    `SELECT d.id, d.checksum, d.row AS text, f.row AS stamp FROM ${from} WHERE ${column} IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(values)],
  )
  for (const [id, checksum, text, stamp] of rows) {
    if (checksumOf(id, text, stamp) !== checksum) throw new IndexCorrupt('A note is damaged')
    found.set(id as number, noteFrom(id as number, text as string, stamp as string))
  }
  return found
}

interface ChunkKey {
  note: number
  ordinal: number
}

/** A chunk is there where its note says that it has so many, and nowhere else. */
export function readChunks({ driver }: Snapshot, wanted: readonly ChunkKey[]): (StoredChunk | undefined)[] {
  if (wanted.length === 0) return []
  const idOf = ({ note, ordinal }: ChunkKey) => note * placesPerNote + ordinal
  const whereIn = 'WHERE id IN (SELECT value FROM json_each(?))'
  const notes = JSON.stringify(wanted.map(({ note }) => note))
  const counts = new Map(driver.all(`SELECT id, chunk_count FROM documents ${whereIn}`, [notes]) as [number, number][])
  const ids = wanted.filter(({ ordinal }) => ordinal >= 0 && ordinal < placesPerNote).map(idOf)
  const rows = driver.all(`SELECT id, checksum, row, content FROM chunks ${whereIn}`, [JSON.stringify(ids)])
  const found = new Map(rows.map((row) => [row[0], chunkFrom(row)]))
  return wanted.map((place) => {
    const isThere = place.ordinal >= 0 && place.ordinal < (counts.get(place.note) ?? 0)
    const chunk = found.get(idOf(place))
    if (isThere !== (chunk !== undefined)) throw new IndexCorrupt('Chunks and documents disagree')
    return chunk
  })
}

function chunkFrom([id, checksum, row, stored]: unknown[]): StoredChunk {
  const content = readAnyText(stored)
  if (checksumOf(id, row, content) !== checksum) throw new IndexCorrupt('A chunk is damaged')
  const [heading, firstLine, lastLine, start, end] = JSON.parse(row as string) as [
    string,
    number,
    number,
    number,
    number,
  ]
  return { ordinal: (id as number) % placesPerNote, heading, lines: [firstLine, lastLine], start, end, content }
}

/** The links of a note, in order of appearance. */
export function linksFrom(snapshot: Snapshot, path: string): StoredLink[] {
  const id = idsByPath(snapshot, [path]).get(path)
  return id === undefined
    ? []
    : linksOfNotes(snapshot, [id])
        .get(id)!
        .map(({ link }) => link)
}

export function linksOfNotes(snapshot: Snapshot, ids: readonly number[]): Map<number, FoundLink[]> {
  const where = 'WHERE id IN (SELECT value FROM json_each(?))'
  const rows = snapshot.driver.all(`SELECT id, link_sum FROM documents ${where}`, [JSON.stringify(ids)])
  const sums = new Map(rows as [number, unknown][])
  return linksOf(snapshot, new Map(ids.map((id) => [id, sums.get(id)])))
}
