import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { ConnectionClosed } from '../../core/providers/index.js'

/**
 * A fetch for plain HTTP, used for models on this computer and on the local network. Node's own fetch takes three times as long and
 * gives up on a server that reads a prompt for five minutes. Redirects are not followed, and a request is never sent
 * twice: if a reused connection turns out to be closed, it throws `ConnectionClosed`. All other requests go through
 * fetch.
 */
export const plainFetch: typeof fetch = async (url, init = {}) => {
  const { body, signal } = init
  if (typeof url !== 'string' || !url.startsWith('http:') || !isPlain(body)) return fetch(url, init)
  signal?.throwIfAborted()
  return sendRequest(url, init, body)
}

const isPlain = (body: unknown): body is string | undefined | null => body == null || typeof body === 'string'

function sendRequest(url: string, init: RequestInit, body: string | undefined | null): Promise<Response> {
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
      else reject(asking.reusedSocket && error.code === 'ECONNRESET' ? new ConnectionClosed(error.message) : error)
    })
    asking.on('response', (incoming) => resolve(responseOf(incoming)))
    asking.end(body)
  })
}

const headersOf = ({ headers = {} }: RequestInit): Record<string, string> =>
  Object.fromEntries(headers instanceof Headers || Array.isArray(headers) ? headers : Object.entries(headers))

const withoutBody = new Set([204, 205, 304])

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 200, statusMessage: statusText = '' } = incoming
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  if (!withoutBody.has(status)) return new Response(bodyOf(incoming), { status, statusText, headers })
  incoming.resume()
  return new Response(null, { status, statusText, headers })
}

/** Pulled by the reader. A cancelled body ends its stream, even if its last byte had already arrived. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let isCancelled = false
  return new ReadableStream({
    start(controller) {
      incoming.on('data', (chunk: Buffer) => {
        if (isCancelled) return
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
      })
      incoming.once('end', () => isCancelled || controller.close())
      incoming.on('error', (error) => isCancelled || controller.error(error))
    },
    pull: () => void incoming.resume(),
    cancel() {
      isCancelled = true
      incoming.destroy()
    },
  })
}
