import type { JournaledVault } from '../../../src/core/vault/index.js'

/** Notewright's report on a change set. */
export interface SetClaim {
  state: 'applied' | 'not applied' | 'unfinished'
  /** Notes of it that went the other way, and that a user has to decide about. */
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

/** Any vault with a journal. Only one that writes temporary files has some to name. */
export type TorturedVault = JournaledVault & { strayFiles?(): Promise<string[]> }

export async function readClaims(vault: TorturedVault): Promise<Claims> {
  const sets = new Map<string, SetClaim>()
  let damage = 0
  for (const { id, state, unsettled } of await vault.history()) {
    if (state === 'damaged') damage++
    else if (state === 'unfinished') sets.set(id, { state, named: new Set() })
    else {
      const isApplied = unsettled === undefined ? state !== 'rolled-back' : unsettled.went === 'finished'
      sets.set(id, { state: isApplied ? 'applied' : 'not applied', named: new Set(unsettled?.notes) })
    }
  }
  return { sets, damage, strays: new Set(await vault.strayFiles?.()) }
}
