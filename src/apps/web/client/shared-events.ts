import { RefusedError, requestServer } from './ask-server.js'
import { followEvents } from './event-stream.js'

/** Receives the events of one session, each once and in order. */
interface SessionListener {
  /** As JSON. */
  onTold(event: string): void
  onState(state: { running: boolean; elsewhere?: string }): void
  /** A message to every page. */
  onSaid(text: string): void
  onLost(): void
}

interface Subscription {
  /** Undefined: only messages to every page. */
  session: string | undefined
  /** Number of the last event. */
  last: number
  listener: SessionListener
}

/** The last event that a tab has of each session it shows. */
type Wishes = Record<string, number>

type Message =
  | { type: 'wishes'; tab: string; wishes: Wishes }
  /** From a new leader: every tab names its wishes again. */
  | { type: 'who' }
  | { type: 'event'; event: string; data: string; id: string | undefined }
  | { type: 'lost' }

const subscriptions = new Set<Subscription>()
/** The wishes of all tabs, where this one leads. */
const wishesOf = new Map<string, Wishes>()
const tab = Math.random().toString(36).slice(2)
let channel: BroadcastChannel | undefined
let isLeading = false
let stopStream: (() => void) | undefined
/** The position of the open stream in each of its sessions. */
let carried: Wishes = {}
let begun = false
let isOpening = false
/** The last state of each carried session, for a tab that joins later. */
const states = new Map<string, string>()

/**
 * Follows a session. All tabs of a browser share one stream, since a browser opens only six connections to a server: the
 * tab that holds the lock leads, opens the stream for all and passes on what comes. When it is closed, another one
 * follows. A browser without locks between tabs opens a stream for each.
 */
export function followSession(session: string | undefined, listener: SessionListener): () => void {
  begin()
  const subscription: Subscription = { session, last: 0, listener }
  subscriptions.add(subscription)
  tellWishes()
  return () => {
    subscriptions.delete(subscription)
    tellWishes()
  }
}

function begin(): void {
  if (begun) return
  begun = true
  if (navigator.locks === undefined || typeof BroadcastChannel === 'undefined') {
    lead()
    return
  }
  channel = new BroadcastChannel('notewright-events')
  channel.onmessage = ({ data }) => receive(data as Message)
  void navigator.locks.request(`notewright-tab-${tab}`, untilClosed)
  void navigator.locks.request('notewright-events', () => {
    lead()
    return untilClosed()
  })
  addEventListener('pagehide', () => post({ type: 'wishes', tab, wishes: {} }))
  addEventListener('pageshow', tellWishes)
}

/** The browser frees the lock when the tab is closed or breaks down. */
const untilClosed = (): Promise<never> => new Promise(() => {})

function lead(): void {
  isLeading = true
  post({ type: 'who' })
  tellWishes()
  if (channel !== undefined) setInterval(() => void forgetClosedTabs(), forgetEveryMs)
}

const forgetEveryMs = 30_000

/** A tab that broke down says nothing; its lock is free. */
async function forgetClosedTabs(): Promise<void> {
  const { held = [] } = await navigator.locks.query()
  const open = new Set(held.map(({ name }) => name))
  for (const each of wishesOf.keys()) if (!open.has(`notewright-tab-${each}`)) wishesOf.delete(each)
  openSoon([])
}

function tellWishes(): void {
  const wishes: Wishes = {}
  for (const { session, last } of subscriptions) {
    if (session !== undefined) wishes[session] = Math.min(last, wishes[session] ?? last)
  }
  const message: Message = { type: 'wishes', tab, wishes }
  if (isLeading) receive(message)
  else post(message)
}

function post(message: Message): void {
  channel?.postMessage(message)
}

/** To this tab and all others. */
function pass(message: Message): void {
  post(message)
  receive(message)
}

function receive(message: Message): void {
  if (message.type === 'who') tellWishes()
  else if (message.type === 'lost') for (const { listener } of subscriptions) listener.onLost()
  else if (message.type === 'event') deliver(message)
  else if (isLeading) {
    wishesOf.set(message.tab, message.wishes)
    openSoon(Object.keys(message.wishes))
  }
}

function deliver({ event, data, id }: Extract<Message, { type: 'event' }>): void {
  if (event === 'said') {
    const { text } = JSON.parse(data) as { text: string }
    for (const { listener } of subscriptions) listener.onSaid(text)
  } else if (event === 'state') {
    const state = JSON.parse(data) as { session: string; running: boolean; elsewhere?: string }
    for (const { session, listener } of subscriptions) if (session === state.session) listener.onState(state)
  } else if (event === 'told') {
    const { session, seq } = placeOf(id)
    for (const subscription of subscriptions) {
      // A stream that begins earlier for another tab repeats events that this one has.
      if (subscription.session !== session || seq !== subscription.last + 1) continue
      subscription.last = seq
      subscription.listener.onTold(data)
    }
  }
}

/** Session and number of an event, from its id: the event itself is parsed only where it is drawn. */
function placeOf(id = ''): { session: string; seq: number } {
  const at = id.lastIndexOf(':')
  return { session: id.slice(0, at), seq: Number(id.slice(at + 1)) }
}

/** The smallest wish for each session: a stream that begins there has all that any tab needs. */
function wanted(): Wishes {
  const all: Wishes = {}
  for (const wishes of wishesOf.values()) {
    for (const [session, last] of Object.entries(wishes)) all[session] = Math.min(last, all[session] ?? last)
  }
  return all
}

/** Several wishes at once, as when a tab turns to another chat, open the stream once. */
function openSoon(sessions: readonly string[]): void {
  for (const session of sessions) {
    const state = states.get(session)
    if (state !== undefined) pass({ type: 'event', event: 'state', data: state, id: undefined })
  }
  if (isOpening) return
  isOpening = true
  queueMicrotask(() => {
    isOpening = false
    openStream()
  })
}

/** Opens the stream again where a session is missing, no longer wanted, or wanted from earlier on. */
function openStream(): void {
  const now = wanted()
  const isSame =
    Object.keys(now).length === Object.keys(carried).length &&
    Object.entries(now).every(([session, last]) => last >= (carried[session] ?? Number.POSITIVE_INFINITY))
  if (stopStream !== undefined && isSame) return
  stopStream?.()
  states.clear()
  carried = now
  stopStream = followEvents({
    open(_, signal) {
      carried = wanted()
      const follow = Object.entries(carried).map(([session, last]) => `follow=${encodeURIComponent(session)}:${last}`)
      return requestServer(`events?${follow.join('&')}`, { headers: { Accept: 'text/event-stream' }, signal })
    },
    onEvent(event, data, id) {
      if (event === 'told') advance(placeOf(id))
      if (event === 'state') states.set((JSON.parse(data) as { session: string }).session, data)
      pass({ type: 'event', event, data, id })
    },
    onLost() {
      states.clear()
      pass({ type: 'lost' })
    },
    isFinal: (error) => error instanceof RefusedError && error.status === 401,
  })
}

/** Every tab that waits for this event gets it now. */
function advance({ session, seq }: { session: string; seq: number }): void {
  carried[session] = seq
  for (const wishes of wishesOf.values()) if (wishes[session] === seq - 1) wishes[session] = seq
}
