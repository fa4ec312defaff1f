import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Loopback {
  url: string
  requests: { path: string; headers: IncomingMessage['headers']; body: string }[]
  /** Connections the other side has closed so far. */
  closed(): number
  stop(): Promise<void>
}

type Answer = (response: ServerResponse, request: { path: string; body: string; count: number }) => void

/** The endpoints that report context sizes. */
const aboutItself = /^\/(api\/show|api\/ps|api\/v0\/models|props)$/

/**
 * A server on this machine that misbehaves as it is told. It knows only the API that all share, as many do, unless it is
 * to answer for what is asked about itself, too.
 */
export async function loopback(answer: Answer, { tells = false } = {}): Promise<Loopback> {
  const requests: Loopback['requests'] = []
  let closed = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (!tells && aboutItself.test(request.url ?? '')) {
      return void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
    }
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    response.on('close', () => {
      if (!response.writableFinished) closed++
    })
    answer(response, { path: request.url ?? '', body, count: requests.length })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    closed: () => closed,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** One chunk of OpenAI's chat completions as a server-sent event. */
export function chatChunk(delta: Record<string, unknown>, finish_reason: string | null = null): string {
  const chunk = {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

export function eventStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' })
}
