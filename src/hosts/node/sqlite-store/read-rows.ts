import { crc32 } from 'node:zlib'
import {
  compareText,
  IndexCorrupt,
  type KnownFile,
  type StoredChunk,
  type StoredLink,
  type StoredNote,
} from '../../../core/vault-index/index.js'
import type { SqliteDriver } from './driver.js'
import { hashLines, hashRow } from './hash-row.js'
import { jsonLines, jsonRows, parsedLines } from './json-rows.js'
import { keyBucket, notesAmongAll, notesIn, targetBucket, unresolvedBucket } from './link-buckets.js'
import { type LinkList, listLine, mayHoldAny, openLists } from './link-list.js'
import { fileFrom, hashNote, noteFrom, type PackedFile } from './note-row.js'
import { placesPerNote } from './schema.js'
import type { Seals } from './seals.js'
import type { StoreState } from './store-state.js'

/** One moment of the store, seen inside a transaction. */
export interface Snapshot {
  driver: SqliteDriver
  state: StoreState
  seals: Seals
}

/** Long tables are read in parts, so that memory stays bounded. */
const rowsPerRead = 10_000
const listsPerRead = 1000

/** All files, or those in one state. All are read either way: only together do they add up. */
export function readFiles({ driver, state }: Snapshot, wanted?: KnownFile['state']): KnownFile[] {
  const files: KnownFile[] = []
  let sum = 0
  let count = 0
  let last = ''
  for (;;) {
    const part = `(SELECT row FROM files WHERE path > ? ORDER BY path LIMIT ${rowsPerRead})`
    const text = jsonLines(driver, 'row', part, [last])
    const lines = text === '' ? [] : text.split('\n')
    sum = (sum + hashLines(text)) >>> 0
    count += lines.length
    // Reading a row takes longer than seeing that it cannot be wanted.
    const chosen = wanted === undefined ? text : lines.filter((line) => line.includes(`"${wanted}"`)).join('\n')
    for (const row of parsedLines<PackedFile>(chosen)) {
      const file = fileFrom(row)
      if (wanted === undefined || file.state === wanted) files.push(file)
    }
    if (count > state.files) throw new IndexCorrupt('There are more files than there should be')
    if (lines.length < rowsPerRead) break
    last = parsedLines<PackedFile>(lines[lines.length - 1])[0][0]
  }
  if (sum !== state.fileSum || count !== state.files) throw new IndexCorrupt('The files do not add up')
  return files.sort((a, b) => compareText(a.path, b.path))
}

/**
 * Ids of the notes at these paths. A path that is found nowhere cannot be proved by a sum, so two independent trees
 * are asked: `documents` by its index on path, and `files`.
 */
export function idsByPath({ driver, state }: Snapshot, paths: readonly string[]): Map<string, number> {
  if (state.files === 0 || paths.length === 0) return new Map()
  const wanted = [JSON.stringify(paths)]
  const where = 'WHERE path IN (SELECT value FROM json_each(?))'
  const ids = new Map(jsonRows<[string, number]>(driver, 'path, id', `documents ${where}`, wanted))
  const stamps = jsonRows<[string, number, string]>(driver, 'path, id, state', `files ${where}`, wanted)
  const indexed = stamps.filter(([, , is]) => is === 'indexed')
  if (indexed.length !== ids.size || indexed.some(([path, id]) => ids.get(path) !== id)) {
    throw new IndexCorrupt('Documents and files disagree')
  }
  return ids
}

export function readNotes(snapshot: Snapshot, ids: readonly number[]): Map<number, StoredNote> {
  const expected = new Set(ids.filter((id) => snapshot.seals.get('note', id) !== 0))
  if (expected.size === 0) return new Map()
  const found = provenNotes(snapshot, 'd.id', [...expected])
  if (found.size !== expected.size) throw new IndexCorrupt('A note is missing')
  return found
}

/** Those of these paths that are notes. What is found proves itself; only what is not has to be asked for elsewhere. */
export function readNotesAt(snapshot: Snapshot, paths: readonly string[]): StoredNote[] {
  const wanted = [...new Set(paths)]
  const found = [...provenNotes(snapshot, 'd.path', wanted).values()]
  const known = new Set(found.map(({ path }) => `${path}`))
  if (wanted.every((path) => known.has(path))) return found
  return [...readNotes(snapshot, [...idsByPath(snapshot, wanted).values()]).values()]
}

function provenNotes({ driver, seals }: Snapshot, column: 'd.id' | 'd.path', values: readonly (number | string)[]) {
  const found = new Map<number, StoredNote>()
  const rows = jsonRows<[id: number, text: string, stamp: string]>(
    driver,
    'd.id, d.row, f.row',
    `documents d LEFT JOIN files f ON f.path = d.path WHERE ${column} IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(values)],
  )
  for (const [id, text, stamp] of rows) {
    if (hashNote(id, text, stamp) !== seals.get('note', id)) throw new IndexCorrupt('A note is damaged')
    found.set(id, noteFrom(id, text, stamp))
  }
  return found
}

interface ChunkPlace {
  note: number
  ordinal: number
}

export function readChunks({ driver, seals }: Snapshot, wanted: readonly ChunkPlace[]): (StoredChunk | undefined)[] {
  const isThere = ({ note, ordinal }: ChunkPlace) => ordinal >= 0 && ordinal < seals.get('chunkCount', note)
  const idOf = ({ note, ordinal }: ChunkPlace) => note * placesPerNote + ordinal
  const ids = wanted.filter(isThere).map(idOf)
  if (ids.length === 0) return wanted.map(() => undefined)
  const rows = jsonRows<ChunkRow>(
    driver,
    'id, seal, row, content',
    'chunks WHERE id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(ids)],
  )
  const found = new Map(rows.map((row) => [row[0], chunkFrom(row, seals)]))
  return wanted.map((place) => {
    if (!isThere(place)) return undefined
    const chunk = found.get(idOf(place))
    if (chunk === undefined) throw new IndexCorrupt('A chunk is missing')
    return chunk
  })
}

type ChunkRow = [id: number, seal: number, row: string, content: string]

function chunkFrom([id, seal, row, content]: ChunkRow, seals: Snapshot['seals']): StoredChunk {
  const salt = seals.get('chunkSalt', Math.floor(id / placesPerNote))
  if (typeof content !== 'string' || hashChunk(id, row, content, salt) !== seal) {
    throw new IndexCorrupt('A chunk is damaged')
  }
  const [heading, firstLine, lastLine, start, end] = JSON.parse(row) as [string, number, number, number, number]
  return { ordinal: id % placesPerNote, heading, lines: [firstLine, lastLine], start, end, content }
}

export const hashChunk = (id: number, row: string, content: string, salt: number): number =>
  crc32(content, hashRow([id, row], salt))

/** The links of a note, in order of appearance. */
export function linksFrom(snapshot: Snapshot, id: number): StoredLink[] {
  return linkLists(snapshot, [id])[0]?.links ?? []
}

/** The links of many notes; of those that have none, nothing. */
export function linkLists(
  { driver, seals }: Snapshot,
  ids: readonly number[],
  mayBeWanted?: (line: string) => boolean,
): LinkList[] {
  const wanted = new Set(ids.filter((id) => seals.get('links', id) !== 0))
  if (wanted.size === 0) return []
  const where = 'documents WHERE id IN (SELECT value FROM json_each(?))'
  const lines = jsonLines(driver, listLine, where, [JSON.stringify([...wanted])])
  const lists = openLists(lines, (id) => seals.get('links', id), mayBeWanted)
  if (lists.length !== wanted.size) throw new IndexCorrupt('The links of a note are missing')
  return lists
}

export function linksTo(snapshot: Snapshot, path: string): StoredLink[] {
  return linksAmong(snapshot, [targetBucket(path)], ({ target }) => target === path, mayHoldAny([path]))
}

export function linksByKey(snapshot: Snapshot, keys: readonly string[]): StoredLink[] {
  const wanted = new Set(keys)
  return linksAmong(snapshot, [...wanted].map(keyBucket), ({ key }) => wanted.has(key), mayHoldAny([...wanted]))
}

export function unresolvedLinks(snapshot: Snapshot): StoredLink[] {
  return linksAmong(snapshot, [unresolvedBucket], ({ target, kind }) => target === null && kind !== 'external')
}

/** The wanted ones of all links of the notes in these buckets, by source path, line and appearance. */
function linksAmong(
  snapshot: Snapshot,
  buckets: readonly number[],
  isWanted: (link: StoredLink) => boolean,
  mayBeWanted?: (line: string) => boolean,
): StoredLink[] {
  const notes = new Set(buckets.flatMap((bucket) => provenNotesIn(snapshot, bucket)))
  const links = linkLists(snapshot, [...notes], mayBeWanted).flatMap((list) => list.links.filter(isWanted))
  return links.sort((a, b) => compareText(a.source, b.source) || a.line - b.line)
}

function provenNotesIn({ driver, state, seals }: Snapshot, bucket: number): number[] {
  const notes = state.isIndexed ? notesIn(driver, bucket) : notesAmongAll(driver, bucket)
  let sum = 0
  for (const note of notes) sum = (sum + seals.get('links', note)) >>> 0
  if (sum !== seals.get('bucket', bucket)) throw new IndexCorrupt('The notes of a bucket do not add up')
  return notes
}

/** Every path that a note other than itself links to. */
export function linkedPaths({ driver, state, seals }: Snapshot): Set<string> {
  const linked = new Set<string>()
  let sum = 0
  let last = -1
  for (;;) {
    const part = `(SELECT id, links FROM documents WHERE id > ? AND links IS NOT NULL ORDER BY id LIMIT ${listsPerRead})`
    const lists = openLists(jsonLines(driver, listLine, part, [last]), (id) => seals.get('links', id))
    for (const { id, links } of lists) {
      if (!(id > last)) throw new IndexCorrupt('The notes are out of order')
      last = id
      sum = (sum + seals.get('links', id)) >>> 0
      for (const { source, target } of links) if (target !== null && target !== source) linked.add(target)
    }
    if (lists.length < listsPerRead) break
  }
  if (sum !== state.linkSum) throw new IndexCorrupt('The links do not add up')
  return linked
}
