import { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { httpSessions } from './http-sessions.js'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

const accepted = { accept: 'application/json, text/event-stream' }

function post(body: unknown, headers: Record<string, string> = accepted): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** Sessions, and their connections that are still open. */
function sessions(prepare: (server: Server) => void = () => {}) {
  const open = new Set<Server>()
  const served = httpSessions({
    connect: () => {
      const server = new Server({ name: 'served', version: '1' }, { capabilities: {} })
      open.add(server)
      prepare(server)
      return {
        server,
        close: async () => {
          open.delete(server)
        },
      }
    },
  })
  return { open, served }
}

describe('a session over HTTP', () => {
  it('keeps its connection until it is closed', async () => {
    const { open, served } = sessions()
    const response = await served.handle(post(hello), hello, 'key')
    expect(response.status).toBe(200)
    await response.text()
    expect(open.size).toBe(1)
    await served.close()
    expect(open.size).toBe(0)
  })

  it.each([
    ['does not accept both answers', hello, { accept: 'application/json' }],
    ['is not of JSON', hello, { ...accepted, 'content-type': 'text/plain' }],
    ['asks for two sessions at once', [hello, { ...hello, id: 2 }], accepted],
  ])('leaves no connection behind when its first request %s', async (_, body, headers) => {
    const { open, served } = sessions()
    const response = await served.handle(post(body, headers), body, 'key')
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(await response.text()).toContain('jsonrpc')
    expect(open.size).toBe(0)
    await served.close()
  })

  it.each([
    [
      'the server cannot be connected',
      (server: Server) => vi.spyOn(server, 'connect').mockRejectedValue(new Error('x')),
    ],
    [
      'the transport fails',
      () =>
        vi.spyOn(WebStandardStreamableHTTPServerTransport.prototype, 'handleRequest').mockRejectedValue(new Error('x')),
    ],
  ])('leaves no connection behind when %s', async (_, prepare) => {
    const { open, served } = sessions((server) => void prepare(server))
    await expect(served.handle(post(hello), hello, 'key')).rejects.toThrow('x')
    expect(open.size).toBe(0)
    await served.close()
  })

  it('closes the server even if its connection cannot be closed', async () => {
    let served: Server | undefined
    const broken = httpSessions({
      connect: () => {
        served = new Server({ name: 'served', version: '1' }, { capabilities: {} })
        return { server: served, close: () => Promise.reject(new Error('broken')) }
      },
    })
    await (await broken.handle(post(hello), hello, 'key')).text()
    const closing = vi.spyOn(served!, 'close')
    await broken.close()
    expect(closing).toHaveBeenCalledOnce()
  })

  it.each(['ends', 'fails', 'loses its reader'])('is ended for silence after a stream that %s', async (how) => {
    vi.useFakeTimers()
    const { open, served } = sessions()
    const first = await served.handle(post(hello), hello, 'key')
    await first.text()
    const id = first.headers.get('mcp-session-id')!
    const stream = new ReadableStream({
      pull(controller) {
        if (how === 'ends') controller.close()
        else if (how === 'fails') controller.error(new Error('The connection was reset.'))
      },
    })
    vi.spyOn(WebStandardStreamableHTTPServerTransport.prototype, 'handleRequest').mockResolvedValue(
      new Response(stream),
    )
    const list = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const second = await served.handle(post(list, { ...accepted, 'mcp-session-id': id }), list, 'key')
    if (how === 'fails') await expect(second.text()).rejects.toThrow('reset')
    else if (how === 'ends') await second.text()
    else await second.body!.cancel()
    await vi.advanceTimersByTimeAsync(40 * 60_000)
    expect(open.size).toBe(0)
    await served.close()
  })
})
