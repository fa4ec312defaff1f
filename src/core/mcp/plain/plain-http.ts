import { Failure } from '../../errors.js'
import type { ServerTransport } from '../connect-server.js'
import { type HttpAddress, mostMissed, watchedFetch } from '../watched-fetch.js'
import { eventMessages } from './event-messages.js'

const soonestMs = 1000
const latestMs = 60_000
const goodbyeMs = 1000
const mostWords = 300
/** Its headers would go along to wherever it leads. */
const once = { redirect: 'manual' }

/**
 * The way to a server at a web address, without the protocol's package: for hosts that must stay small. One that cannot
 * be reached, has forgotten us or floods counts as gone.
 */
export function plainHttp(address: HttpAddress): ServerTransport {
  const stopping = new AbortController()
  const { signal } = stopping
  const fetch = watchedFetch(address, lost)
  /** Questions whose answers are waited for, by their numbers. */
  const open = new Map<unknown, AbortController>()
  let session: string | undefined
  let version: string | undefined
  let isClosed = false

  const headers = (): Record<string, string> => ({
    ...address.headers,
    accept: 'application/json, text/event-stream',
    ...(session !== undefined && { 'mcp-session-id': session }),
    ...(version !== undefined && { 'mcp-protocol-version': version }),
  })
  const tell = (message: unknown) => self.onmessage?.(message as never)

  function end(): void {
    stopping.abort(new Error('The connection was closed.'))
    self.onclose?.()
  }

  function lost(failure: Failure): void {
    if (isClosed) return
    isClosed = true
    // Whoever has asked hears the reason first.
    setTimeout(() => {
      self.onerror?.(failure)
      end()
    })
  }

  async function hear(response: Response): Promise<void> {
    const type = response.headers.get('content-type') ?? ''
    if (response.body === null || response.status === 202) return
    if (type.startsWith('text/event-stream')) {
      for await (const message of eventMessages(response.body)) tell(message)
      return
    }
    const told: unknown = JSON.parse(await response.text())
    for (const message of Array.isArray(told) ? told : [told]) tell(message)
  }

  async function post(body: string, signal: AbortSignal): Promise<void> {
    const own = { ...headers(), 'content-type': 'application/json' }
    const response = await fetch(address.url, { ...once, method: 'POST', headers: own, body, signal } as never)
    session ??= response.headers.get('mcp-session-id') ?? undefined
    if (!response.ok) throw await refused(address.server, response)
    await hear(response)
  }

  /** What it says of its own accord. Many servers have nothing of the kind. */
  async function listen(): Promise<void> {
    for (let missed = 0; missed < mostMissed && !signal.aborted; missed++) {
      try {
        const response = await fetch(address.url, { ...once, method: 'GET', headers: headers(), signal } as never)
        if (!response.ok || response.status === 204) return
        missed = 0
        await hear(response)
      } catch {
        // Opened again below, or the next question says what is wrong.
      }
      await new Promise<void>((resume) => setTimeout(resume, Math.min(soonestMs * 2 ** missed, latestMs)))
    }
  }

  const self: ServerTransport = {
    hasPerRequestStream: true,
    start: async () => {},
    setProtocolVersion(agreed) {
      version = agreed
    },
    /** Is over when all that was answered has been told. */
    async send(message) {
      const { id, method, params } = message as { id?: unknown; method?: string; params?: { requestId?: unknown } }
      const asked = new AbortController()
      const stop = () => asked.abort(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      const isQuestion = id !== undefined && method !== undefined
      if (isQuestion) open.set(id, asked)
      try {
        await post(JSON.stringify(message), asked.signal)
      } finally {
        if (isQuestion) open.delete(id)
        signal.removeEventListener('abort', stop)
      }
      if (method === 'notifications/initialized') void listen()
      // It has been told; nobody waits any more for what it would have said.
      if (method === 'notifications/cancelled') open.get(params?.requestId)?.abort(new Error('It was cancelled.'))
    },
    async close() {
      if (isClosed) return
      isClosed = true
      if (session !== undefined) await sayGoodbye()
      end()
    },
  }

  async function sayGoodbye(): Promise<void> {
    const late = new Promise<void>((resume) => setTimeout(resume, goodbyeMs))
    const said = fetch(address.url, { ...once, method: 'DELETE', headers: headers() } as never).then(
      () => undefined,
      () => undefined,
    )
    await Promise.race([said, late])
  }
  return self
}

async function refused(server: string, response: Response): Promise<Failure> {
  const isRedirect = response.status === 0 || (response.status >= 300 && response.status < 400)
  if (isRedirect) {
    return new Failure('denied', `The MCP server ${server} leads on to another address, which is not followed.`)
  }
  const words = (await response.text().catch(() => '')).slice(0, mostWords)
  return new Failure('network', `The MCP server ${server} answered with status ${response.status}: ${words}`)
}
