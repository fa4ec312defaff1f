import { type ApprovalDesk, approvalDesk, type DeskOptions } from '../approval/index.js'
import type { Config } from '../config/index.js'
import type { StartedServers } from '../mcp/index.js'
import type { Notebook } from '../notebook/index.js'
import { builtInTools, type Registry, registry } from '../tools/index.js'
import { followSession, sessionChanges } from './follow-session.js'
import { forgetOldSessions } from './kept/forget-old-sessions.js'
import { openSession } from './open-session.js'
import type { Session, SessionOptions } from './session.js'
import type { SessionStore, StoredEvent } from './store/session-store.js'
import type { VaultHost } from './vault-host.js'

/** A vault with its tools, its settings and a desk where people are asked: what every front end opens. */
export interface OpenedVault<Own extends Notebook = Notebook> {
  readonly notebook: Own
  /** The tools there are. Some may come and go while sessions run. */
  readonly registry: Registry
  /** Where calls of all its sessions wait for a person. */
  readonly desk: ApprovalDesk
  /** In force from the next turn on. */
  settings: Config
  /** The MCP servers whose tools are in the registry, once they are started. */
  servers?: StartedServers
  /** Where sessions are kept. */
  readonly sessions: SessionStore
  openSession(options?: SessionOptions): Promise<Session>
  /** What happened in a session after that event, and what happens from now on, until the signal aborts. */
  follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<StoredEvent>
  /** Closes its sessions, and the notebook. */
  close(): Promise<void>
}

export interface VaultSetup<Own extends Notebook> {
  host: VaultHost & { notebook: Own }
  settings: Config
  desk?: DeskOptions
  /** The built-in tools, unless told. */
  tools?: Registry
}

export function openedVault<Own extends Notebook>({
  host,
  settings,
  desk,
  tools = registry(builtInTools),
}: VaultSetup<Own>): OpenedVault<Own> {
  const sessions = new Set<Session>()
  const changes = sessionChanges()
  let hasKept = false
  const self: OpenedVault<Own> = {
    notebook: host.notebook,
    registry: tools,
    desk: approvalDesk(desk),
    sessions: host.sessions,
    settings,
    async openSession(options = {}) {
      const session: Session = await openSession(self, host, options, {
        onKept(id, kept) {
          hasKept = true
          changes.tell(id, kept)
        },
        onClose: () => sessions.delete(session),
      })
      sessions.add(session)
      return session
    },
    follow: (id, after, signal) => followSession(host.sessions, { id, after, signal, changes }),
    async close() {
      await Promise.all([...sessions].map((session) => session.close()))
      await self.servers?.close()
      if (hasKept) await forgetOldSessions(host.sessions, self.settings.sessions).catch(() => undefined)
      await host.sessions.close()
      await host.notebook.close()
    },
  }
  return self
}
