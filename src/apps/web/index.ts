import { sessionsAtWork } from '../../core/session/index.js'
import type { Door } from '../server/index.js'
import { apiDoor } from './api-door.js'
import { chooseVaultDoor, type VaultChoice } from './choose-vault-door.js'
import { entrance } from './entrance.js'
import { indexAtWork } from './index-at-work.js'
import { pageDoor } from './page-door.js'
import type { WebSetup } from './web-setup.js'

export type { VaultChoice } from './choose-vault-door.js'
export type { ModelChoice, WebSetup } from './web-setup.js'

export interface WebDoors {
  doors: Door[]
  /** What a link brings along to be let in: good once, for two minutes. */
  newCode(): string
}

/** The page and what it asks, for a server to mount. */
export async function webDoors(setup: WebSetup): Promise<WebDoors> {
  const entry = entrance(setup.token)
  const atWork = sessionsAtWork(setup.vault, setup.onTrouble)
  const indexing = indexAtWork(setup.vault.notebook, () => setup.vault.settings.index.vectors)
  // The page is there at once; what the index has not seen is read meanwhile.
  indexing.begin()
  return { doors: [await pageDoor(), apiDoor(setup, entry, atWork, indexing)], newCode: entry.newCode }
}

/** The page before there is a vault: it lets the person choose one. */
export async function chooseVaultDoors(choice: VaultChoice, token: string): Promise<WebDoors> {
  const entry = entrance(token)
  return { doors: [await pageDoor(), chooseVaultDoor(choice, entry)], newCode: entry.newCode }
}
