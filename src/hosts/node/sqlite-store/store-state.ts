import { IndexCorrupt } from '../../../core/vault-index/index.js'
import { hashText } from './checksum.js'
import type { SqliteDriver } from './driver.js'
import { schemaVersion } from './schema.js'

/** One moment of the store, seen inside a transaction. */
export interface Snapshot {
  driver: SqliteDriver
  state: StoreState
}

/**
 * One row that every commit rewrites and every read looks at first.
 *
 * How answers are proved: a row's checksum tells that it is as it was written. That none is missing, there twice or of
 * an older time, the sums here tell for tables that are read as a whole; where single rows are asked for, two trees of
 * SQLite that are written together must agree: `documents` with `files`, `facts`, `chunks` and links, links with
 * `link_sums`. What a broken disk or another program does to one of them, the other does not know.
 */
export interface StoreState {
  schema: number
  generation: number
  notes: number
  chunks: number
  links: number
  unresolved: number
  files: number
  /** Of the checksums of all rows. */
  fileSum: number
  factSum: number
  linkSum: number
  blobSum: number
  metaSum: number
  /** Whether the first load is over. */
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

/** The state as text; equal texts mean that nothing was committed in between. */
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
