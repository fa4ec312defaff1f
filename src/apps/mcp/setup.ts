import type { IndexProgress } from '../../core/index/index.js'
import type { OpenedVault, SessionOptions } from '../../core/session/index.js'

/** The setup of an MCP server, the same for every client. */
export interface McpSetup {
  vaults: ServedVaults
  /** Names of tools or categories. By default the search and file tools that the settings turn on. */
  tools?: readonly string[] | undefined
  /** Options of all sessions. Missing ones come from the settings. */
  session?: Pick<SessionOptions, 'consent' | 'allow' | 'deny' | 'scope'>
  /** The client as configured by the user. */
  client?: ConfiguredClient
  /** Reports storage errors, as sentences for the user. */
  onTrouble?(text: string): void
  /** Listens to events of the vault that belong to no request. Returns a stop function. */
  news?(listener: NewsListener): () => void
}

/** A client as configured by the user. Nothing here comes from the client itself. */
interface ConfiguredClient {
  /** The name under which its changes and the notes it has read are stored: `claude-code@stdio`, or `editor@3f9a1c` for an access key. */
  id?: string
  /** An approval form that the client sends back counts as the user's own answer. */
  trustsForms?: boolean
}

/** All clients without a configured name share this one. */
export const unnamedClient = 'stdio'

type NewsListener = (level: 'info' | 'warning', text: string) => void

/** The served vaults by name. Each is opened when it is first needed. */
export interface ServedVaults {
  /** The default vault first. */
  names: readonly [string, ...string[]]
  open(name: string): Promise<OpenedVault>
}

/** Opens each vault once. One that failed to open is tried again with the next request. */
export function servedVaults(openers: Record<string, () => Promise<OpenedVault>>): ServedVaults {
  const opened = new Map<string, Promise<OpenedVault>>()
  return {
    // At least one vault is always given.
    names: Object.keys(openers) as [string, ...string[]],
    open(name) {
      const known = opened.get(name)
      if (known !== undefined) return known
      const opening = openers[name]?.() ?? Promise.reject(new Error(`Vault not found: ${name}`))
      opened.set(name, opening)
      opening.catch(() => opened.delete(name))
      return opening
    },
  }
}

/** Passes problems and index progress of a served vault on to connected clients. */
export interface VaultNotifications {
  news: NonNullable<McpSetup['news']>
  trouble(text: string): void
  progress(progress: IndexProgress): void
}

export function vaultNotifications(): VaultNotifications {
  const listeners = new Set<NewsListener>()
  const notify: NewsListener = (level, text) => {
    for (const listener of listeners) listener(level, text)
  }
  let phase: IndexProgress['phase'] | undefined
  return {
    news(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    trouble: (text) => notify('warning', text),
    progress(progress) {
      if (progress.phase === phase) return
      phase = progress.phase
      notify('info', `Index: ${phase}, ${progress.total} in all.`)
    },
  }
}
