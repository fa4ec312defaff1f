import type { SessionStore } from '../../../core/session/index.js'
import { vaultSessions } from '../../../hosts/node/sessions.js'
import { vaultFolders } from '../../../hosts/node/state-folders.js'
import type { Invocation } from '../program/invocation.js'
import { visibleLine } from '../terminal/terminal.js'
import { locateVault, readSettings } from './settings.js'

/** The sessions of the vault, which itself stays closed. */
export async function withSessions<T>(invocation: Invocation, use: (sessions: SessionStore) => Promise<T>): Promise<T> {
  const setting = await readSettings(invocation)
  const { root } = await locateVault(invocation, setting)
  const { journal } = vaultFolders(setting.folders, root)
  const sessions = vaultSessions(journal, (text) => invocation.terminal.say(visibleLine(text)))
  try {
    return await use(sessions)
  } finally {
    await sessions.close()
  }
}
