import { findSetting } from '../../core/config/index.js'
import type { Session } from '../../core/session/index.js'
import type { LoggedCall, LoggedRequest } from '../../core/tools/index.js'
import type { AccessKeys } from '../../hosts/node/access-keys.js'
import type { ModelWords } from '../../hosts/node/agent-model.js'
import type { FolderNotebook } from '../../hosts/node/open-notebook.js'
import type { FolderVault } from '../../hosts/node/open-vault.js'
import { readableNotebook } from '../../hosts/node/permissions.js'
import type { ServersLocation } from '../../hosts/node/settings/servers.js'
import { loadSettings } from '../../hosts/node/settings/settings.js'
import type { BrowserLogins } from '../../hosts/node/web-page.js'

/** Dependencies of the page's routes. */
export interface WebSetup {
  vault: FolderVault
  /** The name shown to users: its folder's name. */
  name: string
  /** The browsers that may use the page. */
  logins: BrowserLogins
  /** The access keys of programs that use `notewright serve`. */
  keys: AccessKeys
  /** Where settings are read and saved. */
  place: ServersLocation & { flags: Record<string, unknown> }
  /** Models that can be chosen, with a word about each. */
  models(): Promise<ModelChoice[]>
  /** The last calls of tools, oldest first. */
  calls(last: number): Promise<LoggedCall[]>
  /** The last requests to models that left the machine, oldest first. */
  requests(last: number): Promise<LoggedRequest[]>
  /** Starts newly configured MCP servers, and ends removed ones; the others keep running. */
  takeUpServers(): Promise<void>
  /** Something the user should know that belongs to no request. */
  onTrouble(text: string): void
}

export interface ModelChoice {
  model: string
  about: string
}

/** Applies changed settings from the next turn on. */
export async function applySettings({ vault, place }: WebSetup): Promise<void> {
  vault.settings = (await loadSettings(place)).config
}

/** The notes that the user's own questions see, by the rules as they are now. */
export function readableNotes({ vault, onTrouble }: WebSetup): Promise<FolderNotebook> {
  return readableNotebook(vault.notebook, vault.settings, onTrouble)
}

/** For requests outside any conversation: a session that is not stored, and asks no user. */
export async function withTemporarySession<T>({ vault }: WebSetup, use: (session: Session) => Promise<T>): Promise<T> {
  const session = await vault.openSession({ keep: false, canAsk: false, model: 'offline' })
  try {
    return await use(session)
  } finally {
    await session.close()
  }
}

/** Advice for people who see the page: there may be no terminal at hand. Links lead to the settings of the page. */
export const pageWords: ModelWords = {
  advice: {
    key: ({ name }) => `Add an API key for ${name} under Settings → Models.`,
    address: ({ name }) => `enter the base URL of ${name} under Settings → Models`,
    models: ({ name }) => `To list its models, test the connection of ${name} under Settings → Models.`,
    setting: (name, value) => `Settings → All settings → ${findSetting(name)?.label ?? name}: ${value}`,
  },
  guidance: (found) => ({
    ...(found[0] !== undefined && { found: { models: found, use: '[Settings → Models](notewright:settings/Models)' } }),
    model: '[Settings → Models](notewright:settings/Models)',
    undo: '**Undo**',
    history: '**Activity**',
    agentMode: '**Agent**',
    enable: () => '[Settings → Tools](notewright:settings/Tools)',
  }),
}
