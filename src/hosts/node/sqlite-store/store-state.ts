import { IndexCorrupt } from '../../../core/vault-index/index.js'
import type { SqliteDriver } from './driver.js'
import { hashText } from './hash-row.js'
import { schemaVersion } from './schema.js'

/** The root of all proofs: one row that every commit rewrites and every read looks at first. */
export interface StoreState {
  schema: number
  generation: number
  notes: number
  chunks: number
  links: number
  unresolved: number
  files: number
  /** Sums of row hashes, as in `Seals`, for what is only ever read as a whole. */
  fileSum: number
  linkSum: number
  blobSum: number
  metaSum: number
  sealDigest: number
  /** Whether the tables' indexes have been made. */
  isIndexed: boolean
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
  linkSum: 0,
  blobSum: 0,
  metaSum: 0,
  sealDigest: 0,
  isIndexed: false,
})

/** The state as text; equal texts mean that nothing was committed in between. */
export function readStateText(driver: SqliteDriver): string {
  const row = driver.first('SELECT CAST(value AS BLOB) AS value FROM meta WHERE key = ?', [key])
  if (!(row?.[0] instanceof Uint8Array)) throw new IndexCorrupt('The index has no state')
  return Buffer.from(row[0]).toString('utf8')
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
