import type { OpenedVault, SessionOptions } from '../../core/session/index.js'

/** What an MCP server serves, the same for every client. */
export interface McpSetup {
  vaults: ServedVaults
  /** Names of tools or categories; without it the search and file tools that the settings switch on. */
  tools?: readonly string[]
  /** How the sessions of all clients work. What is left out is as the settings say. */
  session?: Pick<SessionOptions, 'consent' | 'allow' | 'deny' | 'scope'>
  /** Told what could not be kept or read, in a sentence for the person. */
  onTrouble?(text: string): void
  /** Tells what happens behind all requests, to clients that want to hear of it. Returns a stop function. */
  news?(listener: NewsListener): () => void
}

export type NewsListener = (level: 'info' | 'warning', text: string) => void

/** Vaults by the names that clients call them by. Each is opened when it is first needed. */
export interface ServedVaults {
  /** Of the usual one first. */
  names: readonly string[]
  open(name: string): Promise<OpenedVault>
}

/** Each is opened once; one that could not be opened is tried again. */
export function servedVaults(open: Record<string, () => Promise<OpenedVault>>): ServedVaults {
  const opened = new Map<string, Promise<OpenedVault>>()
  return {
    names: Object.keys(open),
    open(name) {
      const known = opened.get(name)
      if (known !== undefined) return known
      const opening = open[name]()
      opened.set(name, opening)
      opening.catch(() => opened.delete(name))
      return opening
    },
  }
}
