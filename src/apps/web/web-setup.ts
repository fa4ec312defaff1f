import type { OpenedVault } from '../../core/session/index.js'
import type { LoggedCall } from '../../core/tools/index.js'

/** What the page is served from. */
export interface WebSetup {
  vault: OpenedVault
  /** As a person calls it: the name of its folder. */
  name: string
  /** The server's own; cookies are signed with it. */
  token: string
  /** Models that can be chosen, with a word about each. */
  models(): Promise<ModelChoice[]>
  /** The last calls of tools, oldest first. */
  calls(last: number): Promise<LoggedCall[]>
  /** Something the person should know that belongs to no request. */
  onTrouble(text: string): void
}

export interface ModelChoice {
  model: string
  about: string
}
