import type { Mode } from '../agent/index.js'
import type { ConsentLevel } from '../approval/index.js'
import { Failure } from '../errors.js'
import type { OpenedVault } from './opened-vault.js'
import type { Request, Session } from './session.js'

/** Settings the user changes in a conversation. Omitted ones stay as they are. */
export interface SessionChanges {
  model?: string | undefined
  mode?: Mode | undefined
  consent?: ConsentLevel | undefined
}

/** The activity of a conversation, derived from its events. */
type Work = (session: Session, signal: AbortSignal) => AsyncGenerator<unknown>

/** Conversations that a front end has open, each with the turn that it is answering. */
export interface RunningSessions {
  begin(changes: SessionChanges & { project?: string | undefined }): Promise<Session>
  /** An open or stored session; throws if there is none, or another program has it open. */
  find(id: string): Promise<Session>
  /** Begins a turn, which then runs without a reader. Throws if it cannot begin. */
  ask(id: string, request: Request, changes: SessionChanges): Promise<void>
  /** Continues in the branch that has this turn. */
  showBranch(id: string, turn: string): Promise<void>
  /** Sums up the older turns, to make room. */
  compact(id: string): Promise<void>
  /** Resumes an approval that was pending when an earlier process ended: the call is planned and requested again. */
  resumeTurn(id: string): Promise<void>
  stop(id: string): void
  /** Stops what runs and deletes the conversation. False if there is none. */
  remove(id: string): Promise<boolean>
  isRunning(id: string): boolean
  /** Called when a turn begins or ends. Returns a stop function. */
  listen(id: string, listener: () => void): () => void
  close(): Promise<void>
}

/** How long a conversation stays open while no turn runs; then another program can continue it. */
export interface IdleTimes {
  /** While a client follows it. */
  followedMs: number
  unfollowedMs: number
}

/** Without `idle` conversations stay open until the front end closes. */
export function runningSessions(
  vault: OpenedVault,
  onTrouble: (text: string) => void,
  idle?: IdleTimes,
): RunningSessions {
  const open = new Map<string, Promise<Session>>()
  const running = new Map<string, AbortController>()
  const listeners = new Map<string, Set<() => void>>()
  const releasing = new Map<string, Promise<void>>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  function tell(id: string): void {
    for (const listener of listeners.get(id) ?? []) listener()
  }

  function stopWaiting(id: string): void {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }

  /** Starts the idle timer. */
  function whenIdle(id: string): void {
    stopWaiting(id)
    if (idle === undefined || running.has(id) || !open.has(id)) return
    const timer = setTimeout(() => void release(id), listeners.has(id) ? idle.followedMs : idle.unfollowedMs)
    timers.set(id, timer)
  }

  async function release(id: string): Promise<void> {
    timers.delete(id)
    // A session without any turns could not be found again, so it stays open.
    if ((await vault.sessions.find(id).catch(() => undefined)) === undefined) return whenIdle(id)
    const session = open.get(id)
    if (session === undefined || running.has(id) || timers.has(id)) return
    open.delete(id)
    const closed = session.then((each) => each.close()).catch((error) => onTrouble((error as Error).message))
    releasing.set(id, closed)
    await closed
    releasing.delete(id)
  }

  async function opened(id: string): Promise<Session> {
    await releasing.get(id)
    if ((await vault.sessions.find(id)) === undefined) {
      throw new Failure('not-found', `Chat not found: ${id}`, { hint: 'Start a new chat.' })
    }
    return vault.openSession({ id, onTrouble })
  }

  function find(id: string): Promise<Session> {
    const known = open.get(id)
    if (known !== undefined) {
      whenIdle(id)
      return known
    }
    const opening = opened(id)
    open.set(id, opening)
    opening.then(
      () => whenIdle(id),
      () => open.delete(id),
    )
    return opening
  }

  /** Runs the turn to its end without a reader; its events are stored and followed from the store. */
  async function finish(id: string, events: AsyncGenerator<unknown>): Promise<void> {
    try {
      for await (const _ of events);
    } catch (error) {
      onTrouble(`A turn ended unexpectedly: ${(error as Error).message}`)
    } finally {
      running.delete(id)
      tell(id)
      whenIdle(id)
    }
  }

  /** Begins work that runs without a reader, unless the conversation is busy. */
  async function begin(id: string, work: Work, changes: SessionChanges = {}): Promise<void> {
    if (running.has(id)) throw stillAnswering()
    const stop = new AbortController()
    running.set(id, stop)
    stopWaiting(id)
    try {
      const session = await find(id)
      await change(session, changes)
      const events = work(session, stop.signal)
      // A turn that cannot start fails for the caller.
      await events.next()
      void finish(id, events)
    } catch (error) {
      running.delete(id)
      whenIdle(id)
      throw error
    }
    tell(id)
  }

  return {
    async begin(changes) {
      const session = await vault.openSession({ ...changes, onTrouble })
      open.set(session.id, Promise.resolve(session))
      whenIdle(session.id)
      return session
    },
    find,
    ask: (id, request, changes) => begin(id, (session, signal) => session.ask(request, signal), changes),
    async showBranch(id, turn) {
      if (running.has(id)) throw stillAnswering()
      await (await find(id)).showBranch(turn)
    },
    compact: (id) => begin(id, (session, signal) => session.compact(signal)),
    resumeTurn: (id) => begin(id, (session, signal) => session.resumeTurn(signal)),
    stop: (id) => running.get(id)?.abort(new Error('The user stopped it.')),
    async remove(id) {
      running.get(id)?.abort(new Error('The chat is being deleted.'))
      stopWaiting(id)
      const session = open.get(id)
      open.delete(id)
      // A session that could not be opened has nothing to close.
      await (await session?.catch(() => undefined))?.close()
      await releasing.get(id)
      return vault.sessions.remove(id)
    },
    isRunning: (id) => running.has(id),
    listen(id, listener) {
      const own = listeners.get(id) ?? new Set()
      listeners.set(id, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size > 0) return
        listeners.delete(id)
        whenIdle(id)
      }
    },
    async close() {
      for (const id of [...timers.keys()]) stopWaiting(id)
      for (const stop of running.values()) stop.abort(new Error('The front end is closing.'))
      const closing = [...open.values()].map(async (session) => (await session).close())
      await Promise.allSettled([...closing, ...releasing.values()])
      for (const id of [...timers.keys()]) stopWaiting(id)
    },
  }
}

const stillAnswering = () =>
  new Failure('conflict', 'This chat is still answering.', { hint: 'Stop it first, or wait.' })

async function change(session: Session, { model, mode, consent }: SessionChanges): Promise<void> {
  if (model !== undefined && model !== session.state().model) await session.changeModel(model)
  if (mode !== undefined) session.mode = mode
  if (consent !== undefined) session.guard.level = consent
}
