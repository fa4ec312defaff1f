import { IndexCorrupt } from '../../../core/index/index.js'
import type { SqliteDriver } from '../sqlite.js'
import { schemaVersion } from './schema.js'

/** A consistent view of the store inside a transaction. */
export interface Snapshot {
  driver: SqliteDriver
  state: StoreState
}

/**
 * One row that every commit rewrites and every read checks first.  Integrity: a row's checksum proves its content. For
 * tables read as a whole, the sums here prove that no row is missing, duplicated or outdated. For single rows, two
 * SQLite trees that are written together must agree: `documents` with `files`, `facts`, `chunks` and links, links with
 * `link_sums`. Damage by a disk or another program to one of them does not match the other.
 */
export interface StoreState {
  schema: number
  generation: number
  notes: number
  chunks: number
  links: number
  unresolved: number
  files: number
  /** Sums of the checksums of all rows. */
  fileSum: number
  factSum: number
  linkSum: number
  blobSum: number
  metaSum: number
  /** True once the first load has ended. */
  hasLinkIndexes: boolean
}

/** Keys of `meta` that begin like this are the store's own. */
export const ownPrefix = 'store.'

const key = `${ownPrefix}state`

/** A new file begins at the time of day, so that no generation of a file it replaces comes again. */
export const emptyStoreState = (generation: number): StoreState => ({
  schema: schemaVersion,
  generation,
  notes: 0,
  chunks: 0,
  links: 0,
  unresolved: 0,
  files: 0,
  fileSum: 0,
  factSum: 0,
  linkSum: 0,
  blobSum: 0,
  metaSum: 0,
  hasLinkIndexes: false,
})

/** The state as text; equal texts mean that nothing was committed meanwhile. */
export function readStateText(driver: SqliteDriver): string {
  const text = driver.first('SELECT value FROM meta WHERE key = ?', [key])?.[0]
  if (typeof text !== 'string') throw new IndexCorrupt('The index has no state')
  return text
}

export function parseState(text: string): StoreState {
  const end = text.indexOf(' ')
  const json = text.slice(end + 1)
  if (text.slice(0, end) !== `${hashText(json)}`) throw new IndexCorrupt('The state of the index is damaged')
  const state = JSON.parse(json) as StoreState
  if (state.schema !== schemaVersion) throw new IndexCorrupt('The index was made by another version')
  return state
}

export function writeState(driver: SqliteDriver, state: StoreState): string {
  const json = JSON.stringify(state)
  const text = `${hashText(json)} ${json}`
  driver.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', [key, text])
  return text
}

/** 32-bit checksum of a row's columns, in order. One changed character always gives another. */
export function checksumOf(...columns: readonly unknown[]): number {
  let hash = 0
  // Damage may have made a column anything else; as text it still has a checksum, and another one.
  for (const column of columns) hash = hashText(`${column}`, hash)
  return hash
}

/** Faster for texts than zlib's `crc32`, which has to encode them first. */
export function hashText(text: string, seed = 0): number {
  const end = text.length
  let hash = Math.imul(seed ^ end, 0x9e3779b1) + 0x7f4a7c15
  let at = 0
  for (; at + 1 < end; at += 2) {
    hash = Math.imul(hash ^ text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 16), 0x85ebca6b)
    hash = (hash << 13) | (hash >>> 19)
  }
  if (at < end) hash = Math.imul(hash ^ text.charCodeAt(at), 0xc2b2ae35)
  return scrambled(hash)
}

/** Sums of row checksums, independent of order: a missing or duplicate row changes the sum. */
export const addTo = (sum: number, checksum: number): number => (sum + checksum) >>> 0
export const takeFrom = (sum: number, checksum: number): number => (sum - checksum) >>> 0

function scrambled(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
