import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ModelServer, modelServer, type Script } from '../e2e/model-server.js'

/** A model's server as an app meets it: one that lets apps read its answers, or one that does not. */
export interface ModelFront {
  /** Settings of the plugin that lead there. */
  data: Record<string, unknown>
  url: string
  model: ModelServer
  stop(): Promise<void>
}

/** Requests whose answers an app may read. A browser asks with OPTIONS before it sends anything else. */
type MayRead = (method: string, path: string) => boolean

export async function modelFront(
  script: Script,
  { letsAppsRead = true }: { letsAppsRead?: boolean | MayRead } = {},
): Promise<ModelFront> {
  const model = await modelServer(...script)
  const isReadable: MayRead = typeof letsAppsRead === 'function' ? letsAppsRead : () => letsAppsRead
  const server = createServer(async (request, response) => {
    const mayRead = isReadable(request.method ?? '', request.url ?? '')
    const allowed = mayRead ? { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' } : {}
    if (request.method === 'OPTIONS') return void response.writeHead(mayRead ? 204 : 405, allowed).end()
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = await fetch(`${model.url}${request.url}`, {
      method: request.method,
      headers: { 'content-type': 'application/json' },
      ...(body !== '' && { body }),
    })
    const type = { 'content-type': answer.headers.get('content-type') ?? '' }
    response.writeHead(answer.status, { ...allowed, ...type })
    if (answer.body === null) response.end()
    // A client that stops an answer disconnects in the middle of it.
    else await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    model,
    data: {
      enableToolCalling: true,
      config: { model: 'compatible/test', dialect: 'native', sessions: { autoTitle: false } },
      addresses: { compatible: `${url}/v1` },
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await model.stop()
    },
  }
}
