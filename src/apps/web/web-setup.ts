import type { Session } from '../../core/session/index.js'
import type { LoggedCall, LoggedRequest } from '../../core/tools/index.js'
import type { FolderNotebook } from '../../hosts/node/open-notebook.js'
import type { FolderVault } from '../../hosts/node/open-vault.js'
import { readableNotebook } from '../../hosts/node/permissions/index.js'
import { readSetup, type ServersPlace } from '../../hosts/node/setup/index.js'

/** What the page is served from. */
export interface WebSetup {
  vault: FolderVault
  /** As a person calls it: the name of its folder. */
  name: string
  /** The server's own; cookies are signed with it. */
  token: string
  /** Where what the person has set up is read and changed. */
  place: ServersPlace & { flags: Record<string, unknown> }
  /** Models that can be chosen, with a word about each. */
  models(): Promise<ModelChoice[]>
  /** The last calls of tools, oldest first. */
  calls(last: number): Promise<LoggedCall[]>
  /** The last requests to models that left the machine, oldest first. */
  requests(last: number): Promise<LoggedRequest[]>
  /** Starts the MCP servers that the settings now name, and ends those they no longer do; the others go on. */
  takeUpServers(): Promise<void>
  /** Something the person should know that belongs to no request. */
  onTrouble(text: string): void
}

export interface ModelChoice {
  model: string
  about: string
}

/** What was changed in the settings counts from the next turn on. */
export async function takeUpSettings({ vault, place }: WebSetup): Promise<void> {
  vault.settings = (await readSetup(place)).config
}

/** The notes that the person's own questions see, by the rules as they are now. */
export function readableNotes({ vault, onTrouble }: WebSetup): Promise<FolderNotebook> {
  return readableNotebook(vault.notebook, vault.settings, onTrouble)
}

/** For questions that belong to no conversation: a session that is not kept, and asks nobody. */
export async function inPassing<T>({ vault }: WebSetup, use: (session: Session) => Promise<T>): Promise<T> {
  const session = await vault.openSession({ keep: false, canAsk: false, model: 'offline' })
  try {
    return await use(session)
  } finally {
    await session.close()
  }
}
