import type { Hono } from 'hono'
import type { RunningSessions } from '../../../core/session/index.js'
import { type MountContext, type ServerEnv, sendTexts } from '../../server/index.js'
import type { PageLogin } from '../login.js'
import type { TimerWatch } from '../timer-watch.js'
import type { WebSetup } from '../web-setup.js'

/** Heartbeat interval, so that proxies keep the connection open. */
const heartbeatMs = 15_000

/** Another process does not report when it opens or closes a conversation. */
const lookMs = 1000

/** A browser with more chats open at once follows the newest of them. */
const mostFollowed = 50

/**
 * Streams the events of sessions to a browser, which shares one stream among its tabs: a browser opens only six
 * connections to a server. `follow=ID:AFTER` names a session and the last event of it that the browser has; it may be
 * repeated. Without any, only messages to all pages are sent.
 */
export function mountEvents(
  routes: Hono<ServerEnv>,
  { vault, logins }: WebSetup,
  { running, timers, login }: { running: RunningSessions; timers: TimerWatch; login: PageLogin },
  { ending }: MountContext,
): void {
  routes.get('/events', (c) => {
    const followed = followedIn(c.req.queries('follow') ?? [])
    const { outgoing } = c.env
    const browser = login.browserOf(c.req.header('authorization'))?.id ?? ''
    const gone = new AbortController()
    const leave = () => gone.abort()
    outgoing.once('close', leave)
    ending.addEventListener('abort', leave)
    // An event that has already happened does not happen again.
    if (ending.aborted || outgoing.destroyed) leave()
    const say = (event: string, data: unknown) => {
      // The client has disconnected.
      if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.write(eventText(event, data))
    }
    async function* sessionTexts(session: string, after: number): AsyncGenerator<string, void, void> {
      let elsewhere = await vault.sessions.holder(session)
      const state = () => ({ session, running: running.isRunning(session), elsewhere })
      const stopListening = running.listen(session, () => say('state', state()))
      const lookElsewhere = async () => {
        const holder = await vault.sessions.holder(session)
        if (holder === elsewhere) return
        elsewhere = holder
        say('state', state())
      }
      // A look that fails is repeated a moment later.
      const looks = setInterval(() => void lookElsewhere().catch(() => undefined), lookMs)
      try {
        yield eventText('state', state())
        for await (const stored of vault.follow(session, after, gone.signal)) {
          yield `id: ${session}:${stored.seq}\n${eventText('told', stored)}`
        }
      } finally {
        clearInterval(looks)
        stopListening()
      }
    }
    async function* texts(): AsyncGenerator<string, void, void> {
      const stopTimers = timers.listen((text) => say('said', { text }))
      const stopRevoked = logins.onRevoked(browser, leave)
      // Another process that serves this vault may have revoked it.
      const heartbeat = setInterval(() => (logins.isSignedIn(browser) ? say('heartbeat', {}) : leave()), heartbeatMs)
      try {
        yield eventText('open', {})
        yield* merged(followed.map(({ session, after }) => sessionTexts(session, after)))
        await whenAborted(gone.signal)
      } finally {
        clearInterval(heartbeat)
        stopRevoked()
        stopTimers()
        ending.removeEventListener('abort', leave)
      }
    }
    // The response ends with its connection: without chunked encoding each event is one write.
    outgoing.useChunkedEncodingByDefault = false
    return sendTexts(c, texts(), headers)
  })
}

function followedIn(wanted: readonly string[]): { session: string; after: number }[] {
  return wanted.slice(-mostFollowed).flatMap((text) => {
    const [, session, after] = /^(.{1,300}?):(\d{1,15})$/.exec(text) ?? []
    return session === undefined ? [] : [{ session, after: Number(after) }]
  })
}

/** The values of several generators as they come. Each is asked for its next value only after the last one was taken. */
async function* merged<T>(sources: readonly AsyncGenerator<T, void, void>[]): AsyncGenerator<T, void, void> {
  const next = async (source: AsyncGenerator<T, void, void>) => ({ source, result: await source.next() })
  const waiting = new Map(sources.map((source) => [source, next(source)]))
  try {
    while (waiting.size > 0) {
      const { source, result } = await Promise.race(waiting.values())
      waiting.delete(source)
      if (result.done) continue
      waiting.set(source, next(source))
      yield result.value
    }
  } finally {
    await Promise.allSettled(sources.map((source) => source.return()))
  }
}

const whenAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', resolve, { once: true })
  })

const headers = { 'Content-Type': 'text/event-stream', Connection: 'close' }

const eventText = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
