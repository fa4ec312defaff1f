import type { ClientCapabilities, Implementation, Server, ServerContext } from '@modelcontextprotocol/server'
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { AddressedAnswer, ApprovalEvent, UserRequest } from '../../core/approval/index.js'
import { Failure } from '../../core/errors.js'
import type { OpenedVault, Session } from '../../core/session/index.js'
import type { McpSetup } from './setup.js'
import { unnamedClient } from './setup.js'
import { sessionName } from './tools.js'

/** Maximum number of clients kept: nothing reports that a client without a connection is gone. */
const maxClients = 50

/** The clients of one connection, or of requests without a connection. */
export function clients(setup: McpSetup, onOpen: OnOpen) {
  const known = new Map<string, Client>()
  return {
    of(caller: Caller): Client {
      const id = caller.name
      const found = known.get(id) ?? newClient(setup, caller, onOpen)
      known.delete(id)
      known.set(id, found)
      for (const [oldest, other] of known) {
        if (known.size <= maxClients) break
        known.delete(oldest)
        void other.close()
      }
      return found
    },
    /** Denies pending approvals of all clients. */
    withdraw(): void {
      for (const each of known.values()) each.withdraw()
    },
    async close(): Promise<void> {
      await Promise.all([...known.values()].map((each) => each.close()))
      known.clear()
    },
  }
}

export type Client = ReturnType<typeof newClient>

export interface ClientSession {
  vault: OpenedVault
  session: Session
}

export interface PendingApprovalListener {
  /** `decided` aborts when the panel is decided, here or elsewhere; its reason is a `DecidedBy`. */
  onPanel(panel: PendingApproval, decided: AbortSignal): void
}

/** An approval panel and how to answer it. */
export interface PendingApproval {
  panel: UserRequest
  /** Returns whether the answer was accepted. Each panel accepts one. */
  answer(answer: Omit<AddressedAnswer, 'hash' | 'session'>): boolean
}

/** Called with each session that a client opens. */
type OnOpen = (vault: string, session: ClientSession) => void

function newClient(setup: McpSetup, { name }: Pick<Caller, 'name'>, onOpen: OnOpen) {
  const sessions = new Map<string, Promise<ClientSession>>()
  const listeners = new Map<string, PendingApprovalListener>()
  const undecided = new Map<string, AbortController>()
  const stops: (() => void)[] = []
  const withdrawals: (() => void)[] = []
  const closing = new AbortController()

  function handleEvent(vault: OpenedVault, event: ApprovalEvent): void {
    if (event.type === 'approval-decided') {
      undecided.get(event.id)?.abort(event.by)
      undecided.delete(event.id)
      return
    }
    const { panel } = event
    const decided = new AbortController()
    for (const id of panelIds(panel)) undecided.set(id, decided)
    const answer: PendingApproval['answer'] = (given) =>
      vault.approvalQueue.answer(panel.id, { ...given, hash: panel.hash, session: panel.session } as AddressedAnswer).ok
    const listener = callIdsOf(panel).flatMap((id) => listeners.get(id) ?? [])[0]
    // No call waits for this decision.
    if (listener === undefined) answer({ verdict: 'deny' } as AddressedAnswer)
    else listener.onPanel({ panel, answer }, decided.signal)
  }

  async function open(vaultName: string): Promise<ClientSession> {
    const vault = await setup.vaults.open(vaultName)
    const session = await vault.openSession({
      ...setup.session,
      id: sessionName(setup.client?.id ?? name),
      client: setup.client?.id ?? unnamedClient,
      keep: false,
      onTrouble: setup.onTrouble,
    })
    stops.push(vault.approvalQueue.listen(session.id, (event) => handleEvent(vault, event)))
    withdrawals.push(() => vault.approvalQueue.dismiss(session.id))
    const opened = { vault, session }
    onOpen(vaultName, opened)
    return opened
  }

  return {
    closing: closing.signal,
    /** The session on a vault, by default on the first. */
    sessionOn(wanted: string = setup.vaults.names[0]): Promise<ClientSession> {
      const { names } = setup.vaults
      if (!names.includes(wanted)) {
        return Promise.reject(
          new Failure('invalid-input', `Vault not found: ${JSON.stringify(String(wanted).slice(0, 100))}`, {
            hint: `Vaults: ${names.join(', ')}.`,
          }),
        )
      }
      const opening = sessions.get(wanted) ?? open(wanted)
      sessions.set(wanted, opening)
      // A failed session is opened again by the next request.
      opening.catch(() => sessions.delete(wanted))
      return opening
    },
    /** Receives the approval panels of a call. Returns a stop function. */
    listen(callId: string, listener: PendingApprovalListener): () => void {
      listeners.set(callId, listener)
      return () => void listeners.delete(callId)
    },
    /** Denies pending approvals. */
    withdraw(): void {
      for (const withdraw of withdrawals) withdraw()
    },
    /** Stops running calls and denies pending approvals. */
    async close(): Promise<void> {
      closing.abort(new Error('The client disconnected.'))
      for (const stop of stops) stop()
      const opened = await Promise.allSettled(sessions.values())
      await Promise.all(opened.map((each) => each.status === 'fulfilled' && each.value.session.close()))
    },
  }
}

function callIdsOf(panel: UserRequest): string[] {
  if (panel.kind === 'question') return []
  return panel.kind === 'batch' ? panel.requests.map(({ callId }) => callId) : [panel.callId]
}

const panelIds = (panel: UserRequest): string[] =>
  panel.kind === 'batch' ? panel.requests.map(({ id }) => id) : [panel.id]

/** The client of a request, as it describes itself. */
export interface Caller {
  /** Its own name: `claude-code`. Not verified. */
  name: string
  /** It claims to show forms to its user. */
  canShowForms: boolean
  /** A form field can be a list of choices. Older clients support only single values. */
  canShowLists: boolean
  /** It uses the revision without sessions and without requests from the server. */
  isModern: boolean
}

export function callerOf(server: Server, { mcpReq: { envelope } }: Pick<ServerContext, 'mcpReq'>): Caller {
  const own = envelope as Record<string, unknown> | undefined
  const isModern = own?.[CLIENT_CAPABILITIES_META_KEY] !== undefined
  const info = (own?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) as Implementation | undefined
  const capabilities = (own?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()) as
    | ClientCapabilities
    | undefined
  const version = server.getNegotiatedProtocolVersion() ?? ''
  return {
    name: clientName(info?.name),
    canShowForms: supportsForms(capabilities),
    canShowLists: version >= '2025-11-25',
    isModern,
  }
}

/** A client that names no kind of elicitation supports forms: older revisions had nothing else. */
function supportsForms({ elicitation }: ClientCapabilities = {}): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** A name that is safe for the log, the history and ids. */
function clientName(given: unknown): string {
  const plain = String(given ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return plain.slice(0, 40) || 'client'
}
