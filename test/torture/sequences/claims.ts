import type { FolderVault } from '../../../src/hosts/node/folder-vault/index.js'

/** What Notewright says of a change set. */
export interface SetClaim {
  state: 'applied' | 'not applied' | 'undecided'
  /** Notes of it that a person has to decide about. */
  named: Set<string>
}

/** Everything Notewright says of what it did. */
export interface Claims {
  sets: Map<string, SetClaim>
  /** Rows of the journal that it says are damaged. */
  damage: number
  /** Files it names as left over. */
  strays: Set<string>
}

export async function readClaims(vault: FolderVault): Promise<Claims> {
  const sets = new Map<string, SetClaim>()
  for (const { id, state, changes } of await vault.history()) {
    const paths = changes.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]))
    if (state === 'unfinished') sets.set(id, { state: 'undecided', named: new Set(paths) })
    else sets.set(id, { state: state === 'rolled-back' ? 'not applied' : 'applied', named: new Set() })
  }
  return { sets, damage: 0, strays: new Set() }
}
