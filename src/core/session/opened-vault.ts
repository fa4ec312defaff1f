import type {
  ApprovalQueue,
  ApprovalQueueOptions,
  ConversationSources,
  GrantStore,
  RuleTexts,
} from '../approval/index.js'
import { approvalQueue, conversationSources } from '../approval/index.js'
import type { Config } from '../config/index.js'
import type { Failure } from '../errors.js'
import type { Notebook } from '../index/index.js'
import type { StartedServers } from '../mcp/index.js'
import type { OpenedModel, OpenModelOptions } from '../providers/index.js'
import type { InstructionFolder } from '../skills.js'
import type { Clock, Redact, Registry, Timers, ToolLog, ToolSettings, Web } from '../tools/index.js'
import { builtInTools, registry } from '../tools/index.js'
import type { NotePath } from '../vault/index.js'
import type { Session, SessionOptions } from './session.js'
import { openSession } from './session.js'
import type { SessionStore, StoredEvent } from './session-store.js'
import { forgetOldSessions } from './stored-sessions.js'
import { type VaultCalls, vaultCalls } from './vault-calls.js'

/** A vault with its tools, settings and approval queue, opened by every front end. */
export interface OpenedVault<Own extends Notebook = Notebook> extends VaultCalls {
  readonly notebook: Own
  /** The tools there are. Some may come and go while sessions run. */
  readonly registry: Registry
  /** The approval queue of all its sessions. */
  readonly approvalQueue: ApprovalQueue
  /** In force from the next turn on. */
  settings: Config
  /** The MCP servers whose tools are in the registry, once they are started. */
  servers?: StartedServers
  /** The store of sessions. */
  readonly sessions: SessionStore
  /** The provenance of everything a client has read, over all its sessions. */
  clientTaint(client: string): ConversationSources
  openSession(options?: SessionOptions): Promise<Session>
  /** The events of a session after that one, stored and live, until the signal aborts. */
  follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<StoredEvent>
  /** Closes its sessions, and the notebook. */
  close(): Promise<void>
}

/** The host, settings and tools of an opened vault. */
export interface VaultSetup<Own extends Notebook> {
  host: VaultHost & { notebook: Own }
  settings: Config
  approvalOptions?: ApprovalQueueOptions | undefined
  /** The built-in tools, by default. */
  tools?: Registry
}

/** Connects a host with the core. On Node, `openVault` does this for a folder. */
export function vaultFromHost<Own extends Notebook>({
  host,
  settings,
  approvalOptions,
  tools = registry(builtInTools),
}: VaultSetup<Own>): OpenedVault<Own> {
  const sessions = new Set<Session>()
  const changes = sessionChanges()
  const taints = new Map<string, ConversationSources>()
  let hasKept = false
  const opened: Omit<OpenedVault<Own>, keyof VaultCalls> = {
    notebook: host.notebook,
    registry: tools,
    approvalQueue: approvalQueue(approvalOptions),
    sessions: host.sessions,
    settings,
    clientTaint(client) {
      const known = taints.get(client) ?? host.clientTaint?.(client) ?? conversationSources()
      taints.set(client, known)
      return known
    },
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
      // Each is closed even where another cannot be: an index left open keeps its file locked.
      const closed = await Promise.allSettled([...sessions].map((session) => session.close()))
      closed.push(...(await Promise.allSettled([self.servers?.close()])))
      // Old sessions that cannot be deleted now are deleted at another close.
      if (hasKept) await forgetOldSessions(host.sessions, self.settings.sessions).catch(() => undefined)
      closed.push(...(await Promise.allSettled([host.sessions.close()])))
      await host.notebook.close()
      for (const each of closed) if (each.status === 'rejected') throw each.reason
    },
  }
  const self: OpenedVault<Own> = Object.assign(opened, vaultCalls(opened, host))
  return self
}

/** Everything an opened vault needs from its host. */
export interface VaultHost {
  notebook: Notebook
  /** A sentence that says where the user resolves interrupted changes. Default: on the command line. */
  howToDecide?: string
  clock: Clock
  timers: Timers
  /** Absent where there is no network. */
  web?: Web
  log: ToolLog
  /** The store of sessions. */
  sessions: SessionStore
  /** Redacts secrets, and nothing else, in stored sessions. */
  redact: Redact
  /** Decisions for always. */
  grants: GrantStore
  /** Remembers a client's taint across connections. Without it, taint lasts as long as the vault is open. */
  clientTaint?(client: string): ConversationSources
  /** Registers the user's own tools in their current state. Returns their problems. */
  ownTools?(registry: Registry): Promise<string[]>
  /** Skills, prompt files and instructions that are stored beside the notes. */
  guides?: { folders: readonly InstructionFolder[]; instructions(): Promise<string | undefined> }
  dailyNotes: ToolSettings['dailyNotes']
  /** Rules of the vault; they can only restrict. Read for each turn; problems are reported. */
  vaultRules(onTrouble: (text: string) => void): Promise<RuleTexts>
  /** A note's path with links in the folders above it resolved. Hosts whose folders can be links give it. */
  canonical?: (path: NotePath) => Promise<string>
  /** Opens a model in its dialect. Throws if there is no such model, no key or no address. */
  openModel(
    name: string,
    dialect: string,
    wish?: Pick<OpenModelOptions, 'window' | 'stallMs' | 'onRequest' | 'intercept'>,
  ): Promise<OpenedModel>
  /** A text that identifies model addresses and keys. A session reopens its model when it changes. */
  modelSources?: () => string
  /** A language model is about to take a turn: tools that come from elsewhere are given a moment to come. */
  beforeTurn?(): Promise<void>
  /** Similar model names, if the provider does not have this one. */
  nearModels?(name: string, failure: Failure, signal: AbortSignal): Promise<string[]>
}

/** Publishes events added to a session in this process. */
interface SessionChanges {
  tell(id: string, kept: readonly StoredEvent[]): void
  listen(id: string, listener: (kept: readonly StoredEvent[]) => void): () => void
}

function sessionChanges(): SessionChanges {
  const listeners = new Map<string, Set<(kept: readonly StoredEvent[]) => void>>()
  return {
    tell(id, kept) {
      for (const listener of listeners.get(id) ?? []) listener(kept)
    },
    listen(id, listener) {
      const own = listeners.get(id) ?? new Set()
      listeners.set(id, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0) listeners.delete(id)
      }
    },
  }
}

/** Other processes do not notify us, so the store is polled. */
const lookMs = 500

/** A follower that falls behind by more than this reads from the store. */
const mostHanded = 200

interface Following {
  id: string
  after: number
  signal: AbortSignal
  changes: SessionChanges
}

/** The events of a session from a number on, then each new one as it is stored, by any process. */
async function* followSession(
  store: SessionStore,
  { id, after, signal, changes }: Following,
): AsyncGenerator<StoredEvent> {
  let last = after
  let handed: StoredEvent[] = []
  let wake = () => {}
  let isChanged = false
  const rouse = () => {
    isChanged = true
    wake()
  }
  const stop = changes.listen(id, (kept) => {
    if (handed.length < mostHanded) handed.push(...kept)
    rouse()
  })
  /** The live events if they are complete, otherwise the stored ones. */
  const next = async () => {
    const told = handed
    handed = []
    return told[0]?.seq === last + 1 ? told : store.read(id, { after: last })
  }
  signal.addEventListener('abort', rouse)
  try {
    while (!signal.aborted) {
      isChanged = false
      for (const stored of await next()) {
        if (stored.seq <= last) continue
        last = stored.seq
        yield stored
      }
      if (isChanged) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  } finally {
    wake()
    stop()
    signal.removeEventListener('abort', rouse)
  }
}
