import { IndexCorrupt } from '../../../core/vault-index/index.js'
import { addTo, checksumOf, takeFrom } from './checksum.js'
import type { SqliteDriver } from './driver.js'
import { anyText, readAnyText, wellFormed } from './sql-text.js'
import { ownPrefix, type StoreState } from './store-state.js'

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
    const [key, value] = [wellFormed(rawKey), wellFormed(rawValue)]
    if (key.toLowerCase().startsWith(ownPrefix)) throw new Error(`A meta key cannot begin with ${ownPrefix}`)
    const before = known.get(key)
    if (before !== undefined) state.metaSum = takeFrom(state.metaSum, checksumOf(key, before))
    state.metaSum = addTo(state.metaSum, checksumOf(key, value))
    known.set(key, value)
    driver.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', [anyText(key), anyText(value)])
  }
}
