import { IndexCorrupt } from '../../../core/vault-index/index.js'
import type { SqliteDriver } from './driver.js'
import { hashRow } from './hash-row.js'
import { jsonRows } from './json-rows.js'
import { ownPrefix, type StoreState } from './store-state.js'
import { wellFormed } from './well-formed.js'

type MetaRow = [key: string, value: string]

/** All of the index's own entries: they are few, and only together do they add up. */
export function metaRows(driver: SqliteDriver, state: StoreState): Map<string, string> {
  const rows = jsonRows<MetaRow>(driver, 'key, value', `meta WHERE key NOT LIKE '${ownPrefix}%'`)
  const sum = rows.reduce((total, row) => (total + hashRow(row)) >>> 0, 0)
  if (sum !== state.metaSum) throw new IndexCorrupt('The meta entries do not add up')
  return new Map(rows)
}

export function changeMeta(driver: SqliteDriver, state: StoreState, entries: Record<string, string>): void {
  const known = metaRows(driver, state)
  for (const [rawKey, rawValue] of Object.entries(entries)) {
    const [key, value] = [wellFormed(rawKey), wellFormed(rawValue)]
    if (key.toLowerCase().startsWith(ownPrefix)) throw new Error(`A meta key cannot begin with ${ownPrefix}`)
    const before = known.get(key)
    if (before !== undefined) state.metaSum = (state.metaSum - hashRow([key, before])) >>> 0
    state.metaSum = (state.metaSum + hashRow([key, value])) >>> 0
    known.set(key, value)
    driver.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', [key, value])
  }
}
