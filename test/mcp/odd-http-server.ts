import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface OddHttpServer {
  url: string
  /** Requests it received, with the method of HTTP and that of the protocol. */
  seen: { http: string; method?: string; headers: IncomingHttpHeaders; url: string }[]
  /** Number of calls that their clients abandoned. */
  left(): number
  close(): Promise<void>
}

/** A server at an address with scripted faults. */
export type OddHttpWay =
  | 'good'
  | 'streams'
  | 'long-answer'
  | 'long-event'
  | 'flood'
  | 'wants-sign-in'
  | 'wants-key'
  | 'forgets'
  | 'redirects'
  | 'fails'
  | 'silent'

const echo = {
  name: 'echo',
  description: 'Says what it was told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

export async function oddHttpServer(way: OddHttpWay, elsewhere = ''): Promise<OddHttpServer> {
  const seen: OddHttpServer['seen'] = []
  let calls = 0
  let left = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const message = body === '' ? {} : JSON.parse(body)
    seen.push({ http: request.method!, method: message.method, headers: request.headers, url: request.url! })
    if (request.method === 'GET') return response.writeHead(405).end()
    if (request.method === 'DELETE') return response.writeHead(200).end()
    if (way === 'redirects') return response.writeHead(307, { location: elsewhere }).end()
    if (way === 'wants-sign-in') {
      const challenge = 'Bearer resource_metadata="https://example.org/.well-known/oauth-protected-resource"'
      return response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
    if (way === 'wants-key' && request.headers.authorization !== 'Bearer right-key')
      return response.writeHead(401).end()
    if (message.id === undefined) return response.writeHead(202).end()
    const isCall = message.method === 'tools/call'
    if (way === 'forgets' && isCall && ++calls === 1) return response.writeHead(404).end()
    if (way === 'fails' && isCall) return response.writeHead(500).end('x'.repeat(100_000))
    if (way === 'silent' && isCall) return void response.once('close', () => left++)
    if (isCall && misbehaves(response)) return
    const result = resultOf(message)
    const error = { code: -32601, message: `Method not found: ${message.method}` }
    answer(response, { jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) })
  })

  function answer(response: ServerResponse, message: object): void {
    const session = { 'mcp-session-id': 'session-1' }
    if (way === 'streams') {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...session })
      response.end(`: hello\r\n\r\nevent: message\r\ndata: ${JSON.stringify(message)}\r\n\r\n`)
    } else {
      response.writeHead(200, { 'content-type': 'application/json', ...session })
      response.end(JSON.stringify(message))
    }
  }

  function misbehaves(response: ServerResponse): boolean {
    if (way === 'long-answer') response.writeHead(200, { 'content-type': 'application/json' })
    else if (way === 'long-event' || way === 'flood') response.writeHead(200, { 'content-type': 'text/event-stream' })
    else return false
    const piece = way === 'flood' ? 'data: {}\n\n'.repeat(1000) : 'x'.repeat(1 << 20)
    pour(response, way === 'long-event' ? `data: ${piece}\n` : piece, 200)
    return true
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp?token=in-the-address`,
    seen,
    left: () => left,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function resultOf({ method, params }: { method: string; params: { protocolVersion?: string; arguments?: object } }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'odd-http-server', version: '1' }
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') return { tools: [echo] }
  if (method !== 'tools/call') return undefined
  return { content: [{ type: 'text', text: (params.arguments as { text?: string } | undefined)?.text ?? '' }] }
}

function pour(response: ServerResponse, piece: string, times: number): void {
  if (times === 0 || response.destroyed) response.end()
  else response.write(piece, () => pour(response, piece, times - 1))
}
