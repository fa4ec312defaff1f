import type { Door } from '../server/index.js'
import { apiDoor } from './api-door.js'
import { entrance } from './entrance.js'
import { pageDoor } from './page-door.js'
import { sessionsAtWork } from './sessions-at-work.js'
import type { WebSetup } from './web-setup.js'

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
  return { doors: [await pageDoor(), apiDoor(setup, entry, atWork)], newCode: entry.newCode }
}
