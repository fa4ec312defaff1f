import type { NoteFacts } from '../../../core/index/index.js'
import {
  compareText,
  IndexCorrupt,
  type IndexedFile,
  type StoredChunk,
  type StoredLink,
  type StoredNote,
} from '../../../core/index/index.js'
import type { NotePath } from '../../../core/vault/index.js'
import type { SqliteDriver, SqlValue } from '../sqlite.js'
import { type FoundLink, linksOf } from './link-rows.js'
import { placesPerNote } from './schema.js'
import { addTo, checksumOf, hashText, ownPrefix, type Snapshot, type StoreState, takeFrom } from './store-state.js'

/** Long tables are read in parts, so that memory stays bounded. */
const rowsPerRead = 10_000

/** All files, or those in some states. All are read in any case, because the checksum covers all of them. */
export function readFiles({ driver, state }: Snapshot, wanted?: readonly IndexedFile['state'][]): IndexedFile[] {
  const files: IndexedFile[] = []
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
    last = `${rows.at(-1)?.[0]}`
  }
  if (sum !== state.fileSum || count !== state.files) throw new IndexCorrupt('The files do not add up')
  return files.sort((a, b) => compareText(a.path, b.path))
}

/** Ids of the notes at these paths. Paths missing from `documents` must be missing from `files` too. */
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

/** The notes with these ids. An id missing in `documents` must be missing in `facts` too. */
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

/** The notes at these paths. */
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

/** A chunk exists exactly if its ordinal is below the chunk count of its note. */
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
  // `!`: the map has an entry for every id that was asked for.
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

/** A note's row as text: JSON escapes control characters and half surrogates, so it comes back as it went. */
export function noteText(note: StoredNote): string {
  return JSON.stringify([
    note.path,
    note.title,
    note.properties,
    note.createdMs,
    note.aliases,
    note.tags,
    note.headings.map(({ level, text, line }) => [level, text, line]),
    note.blocks.map(({ id, line }) => [id, line]),
    note.frontmatterError,
  ])
}

type PackedNote = [
  path: NotePath,
  title: string,
  properties: Record<string, unknown> | null,
  createdMs: number,
  aliases: string[],
  tags: string[],
  headings: [number, string, number][],
  blocks: [string, number][],
  frontmatterError: string | null,
]

function noteFrom(id: number, text: string, stamp: string): StoredNote {
  const packed = JSON.parse(text) as PackedNote
  const [path, title, properties, createdMs, aliases, tags, headings, blocks, frontmatterError] = packed
  const { size, mtimeMs, ctimeMs, hash } = fileFrom(JSON.parse(stamp) as PackedFile)
  return {
    id,
    path,
    title,
    aliases,
    tags,
    properties,
    ...(frontmatterError !== null && { frontmatterError }),
    headings: headings.map(([level, heading, line]) => ({ level, text: heading, line })),
    blocks: blocks.map(([block, line]) => ({ id: block, line })),
    size,
    mtimeMs,
    ctimeMs,
    createdMs,
    hash,
  }
}

export function fileText({ path, id, size, mtimeMs, ctimeMs, hash, state, reason }: IndexedFile): string {
  return JSON.stringify([path, id, size, mtimeMs, ctimeMs, hash, state, reason])
}

type PackedFile = [NotePath, number, number, number, number, string, IndexedFile['state'], string | null]

function fileFrom([path, id, size, mtimeMs, ctimeMs, hash, state, reason]: PackedFile): IndexedFile {
  const file: IndexedFile = { id, path, size, mtimeMs, ctimeMs, hash, state }
  if (reason !== null) file.reason = reason
  return file
}

/** The data for filters, in rows small enough to scan all of them quickly. */
type PackedFacts = [
  path: string,
  mtimeMs: number,
  createdMs: number,
  tags: string[],
  properties: Record<string, string[]>,
]

export function factsText({ path, mtimeMs, createdMs, tags, properties }: NoteFacts): string {
  const packed: PackedFacts = [path, mtimeMs, createdMs, tags, properties]
  return JSON.stringify(packed)
}

/** Only read as a whole, so one sum proves them all. */
export function allFacts({ driver, state }: Snapshot): NoteFacts[] {
  const rows = driver.all('SELECT id, row FROM facts')
  const sum = rows.reduce((total, [id, row]) => addTo(total, checksumOf(id, row)), 0)
  if (sum !== state.factSum || rows.length !== state.notes) throw new IndexCorrupt('The facts do not add up')
  const packed = JSON.parse(`[${rows.map(([, row]) => row).join()}]`) as PackedFacts[]
  return packed.map(([path, mtimeMs, createdMs, tags, properties], at) => ({
    id: Number(rows[at]?.[0]),
    path: path as NotePath,
    mtimeMs,
    createdMs,
    tags,
    properties,
  }))
}

export function addFacts({ state }: Snapshot, id: number, row: string): void {
  state.factSum = addTo(state.factSum, checksumOf(id, row))
}

export function removeFacts({ driver, state }: Snapshot, ids: readonly number[]): void {
  const where = 'FROM facts WHERE id IN (SELECT value FROM json_each(?))'
  for (const [id, row] of driver.all(`SELECT id, row ${where}`, [JSON.stringify(ids)])) {
    state.factSum = takeFrom(state.factSum, checksumOf(id, row))
  }
  driver.run(`DELETE ${where}`, [JSON.stringify(ids)])
}

/** All of the index's own entries: they are few, and only together do they add up. */
export function metaRows(driver: SqliteDriver, state: StoreState): Map<string, string> {
  const rows = driver.all(`SELECT key, value FROM meta WHERE key NOT LIKE '${ownPrefix}%'`)
  const entries = new Map(rows.map((row) => [readAnyText(row[0]), readAnyText(row[1])]))
  let sum = 0
  for (const entry of entries) sum = addTo(sum, checksumOf(...entry))
  if (sum !== state.metaSum) throw new IndexCorrupt('The meta entries do not add up')
  return entries
}

export function changeMeta(driver: SqliteDriver, state: StoreState, entries: Record<string, string>): void {
  const known = metaRows(driver, state)
  for (const [rawKey, rawValue] of Object.entries(entries)) {
    const [key, value] = [withoutLoneSurrogates(rawKey), withoutLoneSurrogates(rawValue)]
    if (key.toLowerCase().startsWith(ownPrefix)) throw new Error(`A meta key cannot begin with ${ownPrefix}`)
    const before = known.get(key)
    if (before !== undefined) state.metaSum = takeFrom(state.metaSum, checksumOf(key, before))
    state.metaSum = addTo(state.metaSum, checksumOf(key, value))
    known.set(key, value)
    driver.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', [sqlText(key), sqlText(value)])
  }
}

/** Inserts many rows with as few statements as SQLite's limit on bound values sensibly allows. */
export function insertRows(
  driver: SqliteDriver,
  table: string,
  columns: readonly string[],
  values: SqlValue[],
  /** The action for a row that already exists. */
  onConflict = '',
): void {
  const width = columns.length
  let group = 1
  while (group * 2 * width <= 1200) group *= 2
  for (let at = 0; at < values.length; ) {
    while (at + group * width > values.length) group /= 2
    driver.run(insertSql(table, columns, group, onConflict), values.slice(at, at + group * width))
    at += group * width
  }
}

const known = new Map<string, string>()

function insertSql(table: string, columns: readonly string[], rows: number, onConflict: string): string {
  const key = `${table} ${rows} ${onConflict}`
  let sql = known.get(key)
  if (sql === undefined) {
    const row = `(${columns.map(() => '?').join(',')})`
    sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(',')} ${onConflict}`
    known.set(key, sql)
  }
  return sql
}

/** SQLite stores text as UTF-8, which has no lone surrogates: they become U+FFFD before the checksum. */
export function withoutLoneSurrogates(text: string): string {
  const asWritten = text as string & { isWellFormed(): boolean; toWellFormed(): string }
  return asWritten.isWellFormed() ? text : asWritten.toWellFormed()
}

/**
 * A text as the note wrote it: the drivers cut texts off at a zero character, so a text with one is stored as bytes.
 */
export function sqlText(text: string): string | Uint8Array {
  const stored = withoutLoneSurrogates(text)
  return stored.includes('\0') ? Buffer.from(stored) : stored
}

function readAnyText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : `${value}`
}
