import { logStores } from './call-log.js'
import { type Database, openDatabase } from './database/index.js'
import { journalStores } from './journal.js'
import { valueStore } from './kept-values.js'
import { sessionStores } from './session-store.js'

const counted = new Set<string>(['rows', 'usage', ...logStores])

/** All that must not be lost of a vault: the journal, sessions, the log, decisions. The index has a database of its own. */
export function openState(vault: string): Promise<Database> {
  const names = [...journalStores, ...sessionStores, ...logStores, valueStore]
  const schema = Object.fromEntries(names.map((name) => [name, { autoIncrement: counted.has(name) }]))
  return openDatabase(`notewright-${vault}`, 1, schema)
}
