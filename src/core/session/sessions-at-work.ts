import type { Mode } from '../agent/index.js'
import type { ConsentLevel } from '../approval/index.js'
import { Failure } from '../errors.js'
import type { OpenedVault } from './opened-vault.js'
import type { Request, Session } from './session.js'

/** How the person wants a conversation to go on. What is left out stays as it is. */
export interface SessionWish {
  model?: string
  mode?: Mode
  consent?: ConsentLevel
}

/** What a conversation does, told by its events. */
type Work = (session: Session, signal: AbortSignal) => AsyncGenerator<unknown>

/** Conversations that a front end has open, each with the turn that it is answering. */
export interface SessionsAtWork {
  begin(wish: SessionWish & { project?: string }): Promise<Session>
  /** One that is open here, or that was kept; fails where there is none, or another program has it. */
  find(id: string): Promise<Session>
  /** Begins a turn, which then goes on by itself, whoever looks on. Fails where it cannot even begin. */
  ask(id: string, request: Request, wish: SessionWish): Promise<void>
  /** Sums up the older turns, to make room. */
  compact(id: string): Promise<void>
  /** Goes on with what waited for a person when an earlier process ended: it is planned and asked about anew. */
  goOn(id: string): Promise<void>
  stop(id: string): void
  isRunning(id: string): boolean
  /** Told when a turn has begun or ended. Returns how to stop. */
  listen(id: string, listener: () => void): () => void
  close(): Promise<void>
}

export function sessionsAtWork(vault: OpenedVault, onTrouble: (text: string) => void): SessionsAtWork {
  const open = new Map<string, Promise<Session>>()
  const running = new Map<string, AbortController>()
  const listeners = new Map<string, Set<() => void>>()

  function tell(id: string): void {
    for (const listener of listeners.get(id) ?? []) listener()
  }

  async function opened(id: string): Promise<Session> {
    if ((await vault.sessions.find(id)) === undefined) {
      throw new Failure('not-found', `There is no session ${id}.`, { hint: 'Begin a new one.' })
    }
    return vault.openSession({ id, onTrouble })
  }

  function find(id: string): Promise<Session> {
    const known = open.get(id)
    if (known !== undefined) return known
    const opening = opened(id)
    open.set(id, opening)
    opening.catch(() => open.delete(id))
    return opening
  }

  /** To the end, without anyone waiting for it: what happens is kept, and told from there. */
  async function finish(id: string, events: AsyncGenerator<unknown>): Promise<void> {
    try {
      for await (const _ of events);
    } catch (error) {
      onTrouble(`A turn ended unexpectedly: ${(error as Error).message}`)
    } finally {
      running.delete(id)
      tell(id)
    }
  }

  /** Begins something that then goes on by itself, unless the conversation is still busy. */
  async function begin(id: string, work: Work, wish: SessionWish = {}): Promise<void> {
    if (running.has(id)) {
      throw new Failure('conflict', 'This conversation is still answering.', { hint: 'Stop it first, or wait.' })
    }
    const stop = new AbortController()
    running.set(id, stop)
    try {
      const session = await find(id)
      await change(session, wish)
      const events = work(session, stop.signal)
      // What cannot begin at all is told to the one who asked for it.
      await events.next()
      void finish(id, events)
    } catch (error) {
      running.delete(id)
      throw error
    }
    tell(id)
  }

  return {
    async begin(wish) {
      const session = await vault.openSession({ ...wish, onTrouble })
      open.set(session.id, Promise.resolve(session))
      return session
    },
    find,
    ask: (id, request, wish) => begin(id, (session, signal) => session.ask(request, signal), wish),
    compact: (id) => begin(id, (session, signal) => session.compact(signal)),
    goOn: (id) => begin(id, (session, signal) => session.goOn(signal)),
    stop: (id) => running.get(id)?.abort(new Error('The person stopped it.')),
    isRunning: (id) => running.has(id),
    listen(id, listener) {
      const own = listeners.get(id) ?? new Set()
      listeners.set(id, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0) listeners.delete(id)
      }
    },
    async close() {
      for (const stop of running.values()) stop.abort(new Error('The front end is closing.'))
      await Promise.allSettled([...open.values()].map(async (session) => (await session).close()))
    },
  }
}

async function change(session: Session, { model, mode, consent }: SessionWish): Promise<void> {
  if (model !== undefined && model !== session.state().model) await session.changeModel(model)
  if (mode !== undefined) session.mode = mode
  if (consent !== undefined) session.guard.level = consent
}
