import type { Hono } from 'hono'
import type { SessionsAtWork, StoredEvent } from '../../../core/session/index.js'
import { type DoorContext, type ServerEnv, sendTexts } from '../../server/index.js'
import type { TimerWatch } from '../timer-watch.js'
import type { WebSetup } from '../web-setup.js'

/** So often something is said, so that nobody in between takes the silence for the end. */
const heartbeatMs = 15_000

/**
 * What happens in a session, from the event on that the page saw last. Each carries its number, which the browser sends
 * back when it has lost the connection.
 */
export function mountEvents(
  routes: Hono<ServerEnv>,
  { vault }: WebSetup,
  { atWork, timers }: { atWork: SessionsAtWork; timers: TimerWatch },
  { ending }: DoorContext,
): void {
  routes.get('/events', (c) => {
    const id = c.req.query('session') ?? ''
    const after = wholeNumber(c.req.header('last-event-id')) ?? wholeNumber(c.req.query('after')) ?? 0
    const { outgoing } = c.env
    const gone = new AbortController()
    const leave = () => gone.abort()
    outgoing.once('close', leave)
    ending.addEventListener('abort', leave)
    const say = (event: string, data: unknown) => {
      // Nobody is there any more.
      if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.write(eventText(event, data))
    }
    async function* texts(): AsyncGenerator<string, void, void> {
      const stopListening = atWork.listen(id, () => say('state', { running: atWork.isRunning(id) }))
      const stopTimers = timers.listen((text) => say('said', { text }))
      const heartbeat = setInterval(() => say('heartbeat', {}), heartbeatMs)
      try {
        yield eventText('state', { running: atWork.isRunning(id) })
        // A page without a conversation hears only what is said to all.
        if (id === '') await new Promise((resolve) => gone.signal.addEventListener('abort', resolve))
        else for await (const stored of vault.follow(id, after, gone.signal)) yield toldText(stored)
      } finally {
        clearInterval(heartbeat)
        stopListening()
        stopTimers()
        ending.removeEventListener('abort', leave)
      }
    }
    // It ends with its connection: without chunks each piece is one write of one text.
    outgoing.useChunkedEncodingByDefault = false
    return sendTexts(c, texts(), headers)
  })
}

const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', Connection: 'close' }

const eventText = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** With its number, by which the browser asks for what comes after it. */
const toldText = (stored: StoredEvent): string => `id: ${stored.seq}\n${eventText('told', stored)}`

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
