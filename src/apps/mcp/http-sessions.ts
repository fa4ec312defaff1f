import {
  type EventStore,
  isInitializeRequest,
  type JSONRPCMessage,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { McpConnection } from './connection.js'

export type HttpConnection = Pick<McpConnection, 'server' | 'close'> & Partial<Pick<McpConnection, 'withdraw'>>

interface HttpSession {
  transport: WebStandardStreamableHTTPServerTransport
  connection: HttpConnection
  owner: string
  usedAt: number
  /** Requests being answered, streams included. */
  open: number
}

const maxSessions = 100
/** A session without requests and open streams for this long is closed: disconnects are not reported. */
const idleMs = 30 * 60_000
/** A client without a stream for this long is disconnected: its pending approvals are withdrawn. */
const disconnectedMs = 10_000
const checkMs = 1000

interface HttpSessionsSetup {
  connect(owner: string): HttpConnection
  /** True if the access key was revoked: its sessions end. */
  isRevoked?(owner: string): boolean
}

/** Sessions of clients that begin with a handshake. Each is one connection over many requests. */
export function httpSessions({ connect, isRevoked = () => false }: HttpSessionsSetup) {
  const sessions = new Map<string, HttpSession>()
  const checking = setInterval(() => {
    for (const [id, { connection, owner, usedAt, open }] of sessions) {
      const idleFor = open === 0 ? Date.now() - usedAt : 0
      if (isRevoked(owner) || idleFor > idleMs) void end(id)
      else if (idleFor > disconnectedMs) connection.withdraw?.()
    }
  }, checkMs)
  checking.unref()

  async function end(id: string): Promise<void> {
    const session = sessions.get(id)
    if (session === undefined) return
    sessions.delete(id)
    await closeConnection(session)
  }

  /** Closes the sessions idle longest until there is room for one more. */
  function makeRoom(): void {
    const oldest = [...sessions].sort(([, one], [, other]) => one.usedAt - other.usedAt)
    for (const [id] of oldest) if (sessions.size >= maxSessions) void end(id)
  }

  async function begin(request: Request, body: unknown, owner: string): Promise<Response> {
    const connection = connect(owner)
    const session: HttpSession = {
      connection,
      owner,
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
    try {
      await connection.server.connect(session.transport)
      return await answer(session, request, body)
    } finally {
      // The transport refused the request or failed, so no client knows this session.
      const { sessionId } = session.transport
      if (sessionId === undefined || sessions.get(sessionId) !== session) await closeConnection(session)
    }
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
    return onBodyEnd(response, () => {
      session.open--
      session.usedAt = Date.now()
    })
  }

  return {
    /** `owner` names the access key. A session is only served to the key that started it. */
    async handle(request: Request, body: unknown, owner: string): Promise<Response> {
      const id = request.headers.get('mcp-session-id')
      const session = id === null ? undefined : sessions.get(id)
      if (session?.owner === owner) return answer(session, request, body)
      if (id !== null) return errorResponse(404, -32001, 'Session not found. Start a new one with initialize.')
      const isHandshake = Array.isArray(body) ? body.some(isInitializeRequest) : isInitializeRequest(body)
      if (request.method === 'POST' && isHandshake) return begin(request, body, owner)
      return errorResponse(400, -32000, 'Start with initialize, then send the Mcp-Session-Id of its response.')
    },
    async close(): Promise<void> {
      clearInterval(checking)
      await Promise.all([...sessions.keys()].map(end))
    },
  }
}

/** Closes both sides, even if one of them fails. */
async function closeConnection({ connection }: Pick<HttpSession, 'connection'>): Promise<void> {
  await Promise.allSettled([connection.close(), connection.server.close()])
}

/** Calls `onEnd` once the body of the response has ended, failed, or lost its reader. */
function onBodyEnd(response: Response, onEnd: () => void): Response {
  if (response.body === null) {
    onEnd()
    return response
  }
  const reader = response.body.getReader()
  let hasEnded = false
  const end = () => {
    // A reader that leaves also ends the pending read.
    if (!hasEnded) onEnd()
    hasEnded = true
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error) => {
        end()
        throw error
      })
      if (!done) return controller.enqueue(value)
      if (!hasEnded) controller.close()
      end()
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

function errorResponse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}

interface RecentEvent {
  stream: string
  message: JSONRPCMessage
  bytes: number
}

const maxEvents = 500
const maxEventBytes = 4_000_000

/** The last messages of a session's streams, for a client that reconnects. */
function recentEvents(): EventStore {
  const events = new Map<string, RecentEvent>()
  let count = 0
  let bytes = 0

  return {
    async storeEvent(stream, message) {
      const id = `${++count}`
      const size = JSON.stringify(message).length
      events.set(id, { stream, message, bytes: size })
      bytes += size
      for (const [oldest, event] of events) {
        if (events.size <= maxEvents && bytes <= maxEventBytes) break
        events.delete(oldest)
        bytes -= event.bytes
      }
      return id
    },
    getStreamIdForEventId: async (id) => events.get(id)?.stream,
    async replayEventsAfter(last, { send }) {
      const from = events.get(last)
      if (from === undefined) throw new Error('Events after that id are no longer stored.')
      let isAfter = false
      for (const [id, { stream, message }] of events) {
        if (isAfter && stream === from.stream) await send(id, message)
        if (id === last) isAfter = true
      }
      return from.stream
    },
  }
}
