import type { ApprovalEvent, Panel, Reply } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import type { OpenedVault, Session } from '../../../core/session/index.js'
import type { McpSetup } from '../setup.js'
import { changeTools, sessionName } from '../tools/change-tools.js'
import type { Caller } from './caller.js'

/** One client of the server, with a session of its own on each vault it asks about. */
export interface Client {
  /** Its session on a vault; on the usual one unless told. */
  on(vault?: string): Promise<ClientSession>
  /** Hears the panels that a call puts before the person. Returns a stop function. */
  listen(callId: string, listener: PanelListener): () => void
  /** Stops what runs and denies what waits. */
  close(): Promise<void>
  readonly closing: AbortSignal
}

export interface ClientSession {
  vault: OpenedVault
  session: Session
}

export interface PanelListener {
  /** The signal aborts when the panel is decided, by whomever. */
  asked(panel: OpenPanel, decided: AbortSignal): void
}

/** A panel, and the way to answer it. */
export interface OpenPanel {
  panel: Panel
  /** Whether the answer was one. Each panel takes one. */
  answer(answer: Omit<Reply, 'hash' | 'session'>): boolean
}

/** Told of each session that a client opens, with the name of its vault. */
export type OnOpen = (vault: string, session: ClientSession) => void

export function client(
  setup: McpSetup,
  { name, canAsk }: Pick<Caller, 'name' | 'canAsk'>,
  onOpen: OnOpen = () => {},
): Client {
  const sessions = new Map<string, Promise<ClientSession>>()
  const listeners = new Map<string, PanelListener>()
  const deciding = new Map<string, AbortController>()
  const stops: (() => void)[] = []
  const closing = new AbortController()

  function hear(vault: OpenedVault, event: ApprovalEvent): void {
    if (event.type === 'approval-decided') {
      deciding.get(event.id)?.abort()
      deciding.delete(event.id)
      return
    }
    const { panel } = event
    const decided = new AbortController()
    for (const id of panelIds(panel)) deciding.set(id, decided)
    const answer: OpenPanel['answer'] = (given) =>
      vault.desk.answer(panel.id, { ...given, hash: panel.hash, session: panel.session } as Reply).ok
    const listener = callsOf(panel).flatMap((id) => listeners.get(id) ?? [])[0]
    // Nobody waits for what this would decide.
    if (listener === undefined) answer({ verdict: 'deny' } as Reply)
    else listener.asked({ panel, answer }, decided.signal)
  }

  async function open(vaultName: string): Promise<ClientSession> {
    const vault = await setup.vaults.open(vaultName)
    for (const tool of changeTools(vault.notebook)) if (!vault.registry.find(tool.name)) vault.registry.register(tool)
    const session = await vault.openSession({
      ...setup.session,
      id: sessionName(name),
      canAsk,
      keep: false,
      onTrouble: setup.onTrouble,
    })
    stops.push(vault.desk.listen(session.id, (event) => hear(vault, event)))
    const opened = { vault, session }
    onOpen(vaultName, opened)
    return opened
  }

  return {
    closing: closing.signal,
    on(wanted = setup.vaults.names[0]) {
      const { names } = setup.vaults
      if (!names.includes(wanted)) {
        return Promise.reject(
          new Failure('invalid-input', `There is no vault ${JSON.stringify(String(wanted).slice(0, 100))} here.`, {
            hint: `There is ${names.join(', ')}.`,
          }),
        )
      }
      const opening = sessions.get(wanted) ?? open(wanted)
      sessions.set(wanted, opening)
      opening.catch(() => sessions.delete(wanted))
      return opening
    },
    listen(callId, listener) {
      listeners.set(callId, listener)
      return () => void listeners.delete(callId)
    },
    async close() {
      closing.abort(new Error('The client has gone.'))
      for (const stop of stops) stop()
      const opened = await Promise.allSettled(sessions.values())
      await Promise.all(opened.map((each) => each.status === 'fulfilled' && each.value.session.close()))
    },
  }
}

function callsOf(panel: Panel): string[] {
  if (panel.kind === 'question') return []
  return panel.kind === 'batch' ? panel.requests.map(({ callId }) => callId) : [panel.callId]
}

const panelIds = (panel: Panel): string[] => (panel.kind === 'batch' ? panel.requests.map(({ id }) => id) : [panel.id])
