import { join } from 'node:path'
import type { SessionStore } from '../../../core/session/index.js'
import { sqliteSessions } from './sqlite-sessions.js'

export { sqliteSessions }

/** The sessions of a vault, given its state folder. */
export function vaultSessions(stateDir: string, onTrouble?: (text: string) => void): SessionStore {
  return sqliteSessions({ file: join(stateDir, 'sessions.db'), onTrouble })
}
