import {
  IndexCorrupt,
  type KnownFile,
  type StoredChunk,
  type StoredLink,
  type StoredNote,
} from '../../../core/vault-index/index-store.js'
import { compareText } from '../../../core/vault-index/note-facts.js'
import type { SqliteDriver } from './driver.js'
import { hashRow } from './hash-row.js'
import { jsonRows } from './json-rows.js'
import { bucketOf, type LinkRow, linkColumns, linkFrom, unresolvedBucket } from './link-row.js'
import {
  type FileRow,
  fileColumns,
  fileFrom,
  hashNote,
  type NoteRow,
  noteColumns,
  noteFrom,
  noteTables,
} from './note-row.js'
import { placesPerNote } from './schema.js'
import type { Seals } from './seals.js'
import type { StoreState } from './store-state.js'

/** One moment of the store, seen inside a transaction. */
export interface Snapshot {
  driver: SqliteDriver
  state: StoreState
  seals: Seals
}

const filesPerRead = 10_000

export function readFiles({ driver, state }: Snapshot): KnownFile[] {
  const files: KnownFile[] = []
  let sum = 0
  let last = ''
  for (;;) {
    const page = `(SELECT * FROM files WHERE path > ? ORDER BY path LIMIT ${filesPerRead})`
    const rows = jsonRows<FileRow>(driver, fileColumns.join(', '), page, [last])
    for (const row of rows) {
      sum = (sum + hashRow(row)) >>> 0
      files.push(fileFrom(row))
    }
    if (files.length > state.files) throw new IndexCorrupt('There are more files than there should be')
    if (rows.length < filesPerRead) break
    last = rows[rows.length - 1][0]
  }
  if (sum !== state.fileSum || files.length !== state.files) throw new IndexCorrupt('The files do not add up')
  return files.sort((a, b) => compareText(a.path, b.path))
}

/**
 * Ids of the notes at these paths. A path that is found nowhere cannot be proved by a sum, so two independent trees
 * are asked: `documents` by its index on path, and `files`.
 */
export function idsByPath({ driver, state }: Snapshot, paths: readonly string[]): Map<string, number> {
  if (state.files === 0 || paths.length === 0) return new Map()
  const wanted = JSON.stringify(paths)
  const inDocuments = jsonRows<[string, number]>(
    driver,
    'path, id',
    'documents WHERE path IN (SELECT value FROM json_each(?))',
    [wanted],
  )
  const inFiles = jsonRows<[string, number, string]>(
    driver,
    'path, id, state',
    'files WHERE path IN (SELECT value FROM json_each(?))',
    [wanted],
  )
  const ids = new Map(inDocuments)
  const indexed = inFiles.filter(([, , is]) => is === 'indexed')
  if (indexed.length !== ids.size || indexed.some(([path, id]) => ids.get(path) !== id)) {
    throw new IndexCorrupt('Documents and files disagree')
  }
  return ids
}

export function readNotes({ driver, seals }: Snapshot, ids: readonly number[]): Map<number, StoredNote> {
  const expected = new Set(ids.filter((id) => seals.get('note', id) !== 0))
  if (expected.size === 0) return new Map()
  const rows = jsonRows<NoteRow>(driver, noteColumns, `${noteTables} WHERE d.id IN (SELECT value FROM json_each(?))`, [
    JSON.stringify([...expected]),
  ])
  const found = new Map<number, StoredNote>()
  for (const row of rows) {
    if (hashNote(row) !== seals.get('note', row[0])) throw new IndexCorrupt('A note is damaged')
    found.set(row[0], noteFrom(row))
  }
  if (found.size !== expected.size) throw new IndexCorrupt('A note is missing')
  return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id) as StoredNote] as const] : [])))
}

export type ChunkRow = [
  id: number,
  heading: string,
  firstLine: number,
  lastLine: number,
  start: number,
  end: number,
  content: string,
]

export const chunkColumns = 'id, heading, start_line, end_line, start_offset, end_offset, content'

export function readChunks(
  { driver, seals }: Snapshot,
  wanted: readonly { note: number; ordinal: number }[],
): (StoredChunk | undefined)[] {
  const isThere = ({ note, ordinal }: { note: number; ordinal: number }) =>
    Number.isInteger(ordinal) && ordinal >= 0 && ordinal < seals.get('chunkCount', note)
  const ids = wanted.filter(isThere).map(({ note, ordinal }) => note * placesPerNote + ordinal)
  if (ids.length === 0) return wanted.map(() => undefined)
  const rows = jsonRows<[...ChunkRow, seal: number]>(
    driver,
    `${chunkColumns}, seal`,
    'chunks WHERE id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(ids)],
  )
  const found = new Map<number, StoredChunk>()
  for (const [id, heading, firstLine, lastLine, start, end, content, seal] of rows) {
    const salt = seals.get('chunkSalt', Math.floor(id / placesPerNote))
    if (hashRow([id, heading, firstLine, lastLine, start, end, content], salt) !== seal) {
      throw new IndexCorrupt('A chunk is damaged')
    }
    found.set(id, { ordinal: id % placesPerNote, heading, lines: [firstLine, lastLine], start, end, content })
  }
  return wanted.map((want) => {
    if (!isThere(want)) return undefined
    const chunk = found.get(want.note * placesPerNote + want.ordinal)
    if (chunk === undefined) throw new IndexCorrupt('A chunk is missing')
    return chunk
  })
}

/** A note's links in order of appearance, as rows. */
export function linkRowsFrom({ driver, seals }: Snapshot, id: number): LinkRow[] {
  const first = id * placesPerNote
  const rows = jsonRows<LinkRow>(driver, linkColumns, 'links WHERE id >= ? AND id < ?', [first, first + placesPerNote])
  prove(rows, seals.get('linksFrom', id))
  return rows.sort((a, b) => a[0] - b[0])
}

export function linksTo({ driver, seals }: Snapshot, path: string): StoredLink[] {
  const bucket = bucketOf(path)
  const rows = jsonRows<LinkRow>(driver, linkColumns, 'links WHERE target_bucket = ?', [bucket])
  prove(rows, seals.get('linksTo', bucket))
  return inOrder(rows.filter(([, , target]) => target === path))
}

export function linksByKey({ driver, seals }: Snapshot, keys: readonly string[]): StoredLink[] {
  const wanted = new Set(keys)
  const buckets = new Set([...wanted].map(bucketOf))
  const found: LinkRow[] = []
  for (const bucket of buckets) {
    const rows = jsonRows<LinkRow>(driver, linkColumns, 'links WHERE key_bucket = ?', [bucket])
    prove(rows, seals.get('linksByKey', bucket))
    for (const row of rows) if (wanted.has(row[9])) found.push(row)
  }
  return inOrder(found)
}

export function unresolvedLinks({ driver, seals }: Snapshot): StoredLink[] {
  const rows = jsonRows<LinkRow>(driver, linkColumns, 'links WHERE target_bucket = ?', [unresolvedBucket])
  prove(rows, seals.get('linksTo', unresolvedBucket))
  return inOrder(rows)
}

/** Every path that a note other than itself links to. */
export function linkedPaths({ driver, state }: Snapshot): Set<string> {
  const linked = new Set<string>()
  let sum = 0
  let last = -1
  for (;;) {
    const page = `(SELECT * FROM links WHERE id > ? ORDER BY id LIMIT ${filesPerRead})`
    const rows = jsonRows<LinkRow>(driver, linkColumns, page, [last])
    for (const row of rows) {
      sum = (sum + hashRow(row)) >>> 0
      if (row[2] !== null && row[2] !== row[1]) linked.add(row[2])
    }
    if (rows.length < filesPerRead) break
    const next = rows[rows.length - 1][0]
    if (!(next > last)) throw new IndexCorrupt('The links are out of order')
    last = next
  }
  if (sum !== state.linkSum) throw new IndexCorrupt('The links do not add up')
  return linked
}

function prove(rows: readonly LinkRow[], seal: number): void {
  const sum = rows.reduce((total, row) => (total + hashRow(row)) >>> 0, 0)
  if (sum !== seal) throw new IndexCorrupt('The links do not add up')
}

function inOrder(rows: LinkRow[]): StoredLink[] {
  return rows.sort((a, b) => compareText(a[1], b[1]) || a[8] - b[8] || a[0] - b[0]).map(linkFrom)
}
