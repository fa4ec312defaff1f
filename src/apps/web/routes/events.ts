import type { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { DoorContext, ServerEnv } from '../../server/index.js'
import type { SessionsAtWork } from '../sessions-at-work.js'
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
  atWork: SessionsAtWork,
  { ending }: DoorContext,
): void {
  routes.get('/events', (c) => {
    const id = c.req.query('session') ?? ''
    const after = wholeNumber(c.req.header('last-event-id')) ?? wholeNumber(c.req.query('after')) ?? 0
    return streamSSE(c, async (stream) => {
      const gone = new AbortController()
      const leave = () => gone.abort()
      stream.onAbort(leave)
      ending.addEventListener('abort', leave)
      const say = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) })
      const tellState = () => void say('state', { running: atWork.isRunning(id) })
      const stopListening = atWork.listen(id, tellState)
      const heartbeat = setInterval(() => void say('heartbeat', {}), heartbeatMs)
      try {
        await say('state', { running: atWork.isRunning(id) })
        for await (const stored of vault.follow(id, after, gone.signal)) {
          await stream.writeSSE({ id: String(stored.seq), event: 'told', data: JSON.stringify(stored) })
        }
      } finally {
        clearInterval(heartbeat)
        stopListening()
        ending.removeEventListener('abort', leave)
      }
    })
  })
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
