import { Failure } from '../errors.js'
import type { ServerTransport } from './connection.js'
import { type HttpAddress, limitedFetch, maxFailedReopens } from './limited-fetch.js'

const minReconnectMs = 1000
const maxReconnectMs = 60_000
const maxTerminateMs = 1000
const maxErrorLength = 300
/** A redirect is not followed: the headers would be sent to another host. */
const noRedirect = { redirect: 'manual' }

/**
 * A server at a web address, without the protocol's package: for hosts with a size limit. The connection is lost when the
 * server cannot be reached, has dropped the session, or sends too much.
 */
export function httpTransportWithoutSdk(address: HttpAddress): ServerTransport {
  const stopping = new AbortController()
  const { signal } = stopping
  const fetch = limitedFetch(address, onLost)
  /** Requests without a response so far, by id. */
  const openRequests = new Map<unknown, AbortController>()
  let session: string | undefined
  let version: string | undefined
  let isClosed = false

  const headers = (): Record<string, string> => ({
    ...address.headers,
    accept: 'application/json, text/event-stream',
    ...(session !== undefined && { 'mcp-session-id': session }),
    ...(version !== undefined && { 'mcp-protocol-version': version }),
  })
  const deliver = (message: unknown) => self.onmessage?.(message as never)

  function end(): void {
    stopping.abort(new Error('The connection was closed.'))
    self.onclose?.()
  }

  function onLost(failure: Failure): void {
    if (isClosed) return
    isClosed = true
    // Deferred, so that the pending request fails with its own reason first.
    setTimeout(() => {
      self.onerror?.(failure)
      end()
    })
  }

  async function readResponse(response: Response): Promise<void> {
    const type = response.headers.get('content-type') ?? ''
    if (response.body === null || response.status === 202) return
    if (type.startsWith('text/event-stream')) {
      for await (const message of eventMessages(response.body)) deliver(message)
      return
    }
    const body: unknown = JSON.parse(await response.text())
    for (const message of Array.isArray(body) ? body : [body]) deliver(message)
  }

  async function post(body: string, signal: AbortSignal): Promise<void> {
    const own = { ...headers(), 'content-type': 'application/json' }
    const response = await fetch(address.url, { ...noRedirect, method: 'POST', headers: own, body, signal } as never)
    session ??= response.headers.get('mcp-session-id') ?? undefined
    if (!response.ok) throw await statusFailure(address.server, response)
    await readResponse(response)
  }

  /** Receives unsolicited messages. Many servers do not offer such a stream. */
  async function listen(): Promise<void> {
    for (let missed = 0; missed < maxFailedReopens && !signal.aborted; missed++) {
      try {
        const response = await fetch(address.url, { ...noRedirect, method: 'GET', headers: headers(), signal } as never)
        if (!response.ok || response.status === 204) return
        missed = 0
        await readResponse(response)
      } catch {
        // Retried below; if the server is unreachable, the next request reports it.
      }
      await new Promise<void>((resume) => setTimeout(resume, Math.min(minReconnectMs * 2 ** missed, maxReconnectMs)))
    }
  }

  const self: ServerTransport = {
    hasPerRequestStream: true,
    start: async () => {},
    setProtocolVersion(agreed) {
      version = agreed
    },
    /** Resolves when all messages of the response were delivered. */
    async send(message) {
      const { id, method, params } = message as { id?: unknown; method?: string; params?: { requestId?: unknown } }
      const request = new AbortController()
      const stop = () => request.abort(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      const isRequest = id !== undefined && method !== undefined
      if (isRequest) openRequests.set(id, request)
      try {
        await post(JSON.stringify(message), request.signal)
      } finally {
        if (isRequest) openRequests.delete(id)
        signal.removeEventListener('abort', stop)
      }
      if (method === 'notifications/initialized') void listen()
      // The server was notified, and its response is no longer needed.
      if (method === 'notifications/cancelled')
        openRequests.get(params?.requestId)?.abort(new Error('The request was cancelled.'))
    },
    async close() {
      if (isClosed) return
      isClosed = true
      if (session !== undefined) await terminate()
      end()
    },
  }

  async function terminate(): Promise<void> {
    const timeout = new Promise<void>((resume) => setTimeout(resume, maxTerminateMs))
    const terminated = fetch(address.url, { ...noRedirect, method: 'DELETE', headers: headers() } as never).then(
      () => undefined,
      () => undefined,
    )
    await Promise.race([terminated, timeout])
  }
  return self
}

async function statusFailure(server: string, response: Response): Promise<Failure> {
  const isRedirect = response.status === 0 || (response.status >= 300 && response.status < 400)
  if (isRedirect) {
    return new Failure('denied', `The MCP server ${server} redirects to another address, which is not followed.`)
  }
  // The status alone is enough if the body cannot be read.
  const words = (await response.text().catch(() => '')).slice(0, maxErrorLength)
  return new Failure('network', `The MCP server ${server} answered with status ${response.status}: ${words}`)
}

const eventBoundary = /\r\n\r\n|\n\n|\r\r/

/** The messages of an event stream, as they arrive. */
async function* eventMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pieces: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const piece = decoder.decode(value, { stream: !done })
      const joint = (pieces[pieces.length - 1] ?? '').slice(-3) + piece
      pieces.push(piece)
      // A long event is joined once, when it is complete.
      if (!done && !eventBoundary.test(joint)) continue
      const events = pieces.join('').split(eventBoundary)
      pieces = done ? [] : [events.pop() ?? '']
      for (const event of events) yield* messagesOf(event)
      if (done) return
    }
  } finally {
    // A stream that has already failed cannot be cancelled.
    await reader.cancel().catch(() => undefined)
  }
}

function* messagesOf(event: string): Generator<unknown> {
  const data = event
    .split(/\r\n|\n|\r/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
    .join('\n')
  if (data === '') return
  try {
    yield JSON.parse(data)
  } catch {
    // Not a message: ignored, as in the other transports.
  }
}
