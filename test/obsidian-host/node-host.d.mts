import type { JournaledVault } from '../../src/core/vault/index.js'

/** Calls of the app's test double to its disk, and to the database for the journal. */
export type HostCalls = Record<
  | 'entry'
  | 'everything'
  | 'list'
  | 'read'
  | 'write'
  | 'writeFromOutside'
  | 'makeFolder'
  | 'rename'
  | 'remove'
  | 'removeFolder'
  | 'trashOutside'
  | 'look'
  | 'change',
  (...args: never[]) => Promise<unknown>
>

/** Obsidian's vault with disk and database in memory: each `open` is another start of the app. */
export function memoryObsidian(): {
  files: Map<string, Uint8Array>
  calls: HostCalls
  open(calls: HostCalls): Promise<{ vault: JournaledVault; reconcile(): Promise<void> }>
}
