import { type ClientRequest, type IncomingMessage, request } from 'node:http'

/**
 * A fetch for plain HTTP, as models on this machine and nearby are asked: Node's own fetch takes three times as long,
 * with streams for every body, and gives up on a server that reads a prompt for five minutes. It follows no redirect,
 * and nobody who asks a model may. Everything else goes through fetch.
 */
export const plainFetch: typeof fetch = async (url, init = {}) => {
  const { body, signal } = init
  if (typeof url !== 'string' || !url.startsWith('http:') || !isPlain(body)) return fetch(url, init)
  signal?.throwIfAborted()
  try {
    return await sent(url, init, body)
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error
    return sent(url, init, body)
  }
}

const isPlain = (body: unknown): body is string | undefined | null => body == null || typeof body === 'string'

/** The server had closed a connection that was kept open for the next request, which never reached it. */
class StaleConnection extends Error {}

function sent(url: string, init: RequestInit, body: string | undefined | null): Promise<Response> {
  const { method = 'GET', signal } = init
  return new Promise((resolve, reject) => {
    const headers = { ...headersOf(init), ...(body && { 'content-length': Buffer.byteLength(body) }) }
    const asking: ClientRequest = request(url, { method, headers })
    const stop = () => asking.destroy()
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    asking.once('close', () => signal?.removeEventListener('abort', stop))
    asking.on('error', (error: NodeJS.ErrnoException) => {
      if (signal?.aborted) reject(signal.reason)
      else reject(asking.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error)
    })
    asking.on('response', (incoming) => resolve(responseOf(incoming)))
    asking.end(body)
  })
}

const headersOf = ({ headers = {} }: RequestInit): Record<string, string> =>
  Object.fromEntries(headers instanceof Headers || Array.isArray(headers) ? headers : Object.entries(headers))

const withoutBody = new Set([204, 205, 304])

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 200, statusMessage: statusText } = incoming
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  if (!withoutBody.has(status)) return new Response(bodyOf(incoming), { status, statusText, headers })
  incoming.resume()
  return new Response(null, { status, statusText, headers })
}

/** As fast as it is read. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      incoming.on('data', (chunk: Buffer) => {
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
      })
      incoming.once('end', () => controller.close())
      incoming.once('error', (error) => controller.error(error))
    },
    pull: () => void incoming.resume(),
    cancel: () => void incoming.destroy(),
  })
}
