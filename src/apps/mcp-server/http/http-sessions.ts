import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Connection } from '../connection.js'
import { recentEvents } from './recent-events.js'

/** Sessions of clients that begin with a handshake. Each is one connection, over as many requests as it takes. */
export interface HttpSessions {
  handle(request: Request, body: unknown): Promise<Response>
  close(): Promise<void>
}

interface HttpSession {
  transport: WebStandardStreamableHTTPServerTransport
  connection: Pick<Connection, 'server' | 'close'>
  usedAt: number
  /** Requests that are being answered, streams among them. */
  open: number
}

const most = 100
/** Nobody tells that a client has gone: whoever is silent for so long, with no stream open, is taken to have. */
const idleMs = 30 * 60_000
const lookMs = 60_000

export function httpSessions(connect: () => Pick<Connection, 'server' | 'close'>): HttpSessions {
  const sessions = new Map<string, HttpSession>()
  const looking = setInterval(() => {
    for (const [id, { usedAt, open }] of sessions) if (open === 0 && Date.now() - usedAt > idleMs) void end(id)
  }, lookMs)
  looking.unref()

  async function end(id: string): Promise<void> {
    const session = sessions.get(id)
    if (session === undefined) return
    sessions.delete(id)
    await session.connection.close()
    await session.connection.server.close()
  }

  /** The one that has been silent longest makes room. */
  function makeRoom(): void {
    const oldest = [...sessions].sort(([, one], [, other]) => one.usedAt - other.usedAt)
    for (const [id] of oldest) if (sessions.size >= most) void end(id)
  }

  async function begin(request: Request, body: unknown): Promise<Response> {
    const connection = connect()
    const session: HttpSession = {
      connection,
      usedAt: Date.now(),
      open: 0,
      transport: new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => {
          makeRoom()
          sessions.set(id, session)
        },
        onsessionclosed: (id) => end(id),
        eventStore: recentEvents(),
        retryInterval: 1000,
      }),
    }
    await connection.server.connect(session.transport)
    return answer(session, request, body)
  }

  async function answer(session: HttpSession, request: Request, body: unknown): Promise<Response> {
    session.open++
    session.usedAt = Date.now()
    const response = await session.transport
      .handleRequest(request, body === undefined ? {} : { parsedBody: body })
      .catch((error) => {
        session.open--
        throw error
      })
    return whenOver(response, () => {
      session.open--
      session.usedAt = Date.now()
    })
  }

  return {
    async handle(request, body) {
      const id = request.headers.get('mcp-session-id')
      const session = id === null ? undefined : sessions.get(id)
      if (session !== undefined) return answer(session, request, body)
      if (id !== null) return refused(404, -32001, 'There is no such session: begin anew.')
      const isHello = Array.isArray(body) ? body.some(isInitializeRequest) : isInitializeRequest(body)
      if (request.method === 'POST' && isHello) return begin(request, body)
      return refused(400, -32000, 'Begin with initialize, and send the Mcp-Session-Id of its answer.')
    },
    async close() {
      clearInterval(looking)
      await Promise.all([...sessions.keys()].map(end))
    },
  }
}

/** The response, with somebody told when its last byte has gone or its reader has. */
function whenOver(response: Response, over: () => void): Response {
  if (response.body === null) {
    over()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      over()
      controller.close()
    },
    async cancel(reason) {
      over()
      await reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

function refused(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}
