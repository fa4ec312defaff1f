import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { thinkInText } from './calls-in-text.js'
import { type Pace, readChat, writeChat } from './chat-wire.js'
import { readResponses, writeResponses } from './responses-wire.js'
import { think } from './think.js'

export interface ServedModel {
  /** Its base URL, with `/v1`. */
  url: string
  /** Bodies of the requests it got, in order. */
  requests: Record<string, unknown>[]
  /** Number of replies that the client interrupted. */
  left(): number
  close(): Promise<void>
}

export interface ServeOptions {
  /** A server without tools: it refuses them, in Ollama's words (ollama/ollama#6027). */
  withoutTools?: boolean
  /** How long the model takes for each piece. */
  pieceMs?: number
}

/** Serves the scripted model on loopback: `/v1/chat/completions` as most servers do, `/v1/responses` as Codex needs it. */
export async function serveModel({ withoutTools = false, pieceMs = 0 }: ServeOptions = {}): Promise<ServedModel> {
  const requests: Record<string, unknown>[] = []
  let cutOff = 0
  const pace: Pace = (response, pieces) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.on('close', () => {
      if (!response.writableFinished) cutOff++
    })
    void send(response, pieces, pieceMs)
  }
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.replace(/\?.*$/, '')
    if (request.method === 'GET' && path === '/v1/models') {
      return json(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model', owned_by: 'test' }] })
    }
    if (request.method !== 'POST' || !/^\/v1\/(chat\/completions|responses)$/.test(path ?? '')) {
      return json(response, 404, { error: { message: 'Not found', type: 'invalid_request_error', code: null } })
    }
    const body = JSON.parse(await textOf(request))
    requests.push(body)
    if (path === '/v1/responses') return writeResponses(response, body, thinkOf(readResponses(body)), pace)
    if (withoutTools && body.tools?.length > 0) return json(response, 400, { error: refusal(body.model) })
    writeChat(response, body, thinkOf(readChat(body)), pace)
  }

  // Codex 0.89 has no tools of ours to offer; what it teaches is text, as on a server without tools.
  const thinkOf: typeof think = (request) => {
    const isTaught = request.messages.some(
      ({ role, text }) => role === 'system' && text.includes('Available tools:\n\n### '),
    )
    return isTaught || withoutTools ? thinkInText(request) : think(request)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, requests, left: () => cutOff, close: () => closeAll(server) }
}

const refusal = (model: string) => ({
  message: `registry.ollama.ai/library/${model} does not support tools`,
  type: 'api_error',
  param: null,
  code: null,
})

async function send(response: ServerResponse, pieces: string[], pieceMs: number): Promise<void> {
  for (const piece of pieces) {
    if (pieceMs > 0) await new Promise((resolve) => setTimeout(resolve, pieceMs))
    if (response.destroyed) return
    response.write(piece)
  }
  response.end()
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const bytes of request) text += bytes
  return text
}

async function closeAll(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
