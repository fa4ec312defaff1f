import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

export interface SeenRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A proxy in front of a provider's server that allows all origins by CORS, or none. */
export interface CorsFront {
  url: string
  seen: SeenRequest[]
  stop(): Promise<void>
}

const forwarded = /^(authorization|content-type|accept|x-|anthropic-)/

export async function corsFront(target: string, { letsAppsRead }: { letsAppsRead: boolean }): Promise<CorsFront> {
  const seen: SeenRequest[] = []
  const allowed = letsAppsRead ? { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' } : {}
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method, path, headers, body })
    // Ollama answers 403 to the preflight of an origin it does not know, LM Studio knows no OPTIONS without its switch.
    if (method === 'OPTIONS') return void response.writeHead(letsAppsRead ? 204 : 403, allowed).end()
    const sent = Object.entries(headers).filter(([name]) => forwarded.test(name)) as [string, string][]
    const answer = await fetch(`${target}${path}`, { method, headers: sent, ...(body !== '' && { body }) })
    response.writeHead(answer.status, { ...allowed, 'content-type': answer.headers.get('content-type') ?? '' })
    if (answer.body === null) response.end()
    else Readable.fromWeb(answer.body as never).pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
