import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Limits of one server. */
export interface Limits {
  /** Size of one body: enough for a conversation with several images. */
  bodyBytes: number
  /** Size of all bodies being read at the same time. */
  totalBodyBytes: number
  /** Time a client has to send its headers, and its whole request. */
  headerMs: number
  requestMs: number
  /** Requests being answered, streams included. */
  openRequests: number
  /** Open connections. When all are taken, the one idle longest is closed. */
  connections: number
  headerBytes: number
  /** Nesting of JSON, which is walked by recursion. */
  jsonDepth: number
  /** Time open replies get to finish when the server stops. */
  shutdownMs: number
}

export const defaultLimits: Limits = {
  bodyBytes: 20_000_000,
  totalBodyBytes: 80_000_000,
  headerMs: 10_000,
  requestMs: 60_000,
  openRequests: 400,
  connections: 800,
  headerBytes: 16_384,
  jsonDepth: 200,
  shutdownMs: 5000,
}

/**
 * Makes room for new connections: when all are taken, the connection idle longest is closed, first those without an
 * accepted request. A client that opens many connections and sends nothing cannot block others, and does not close the
 * keep-alive connections of accepted clients.
 */
export function limitConnections(server: Server, max: number): void {
  // Idle connections, in the order in which they became idle.
  const unaccepted = new Set<Socket>()
  const accepted = new Set<Socket>()
  let open = 0
  const markBusy = (socket: Socket) => unaccepted.delete(socket) || accepted.delete(socket)
  server.on('connection', (socket: Socket) => {
    open++
    if (open > max) (oldestOf(unaccepted) ?? oldestOf(accepted) ?? socket).destroy()
    unaccepted.add(socket)
    socket.once('close', () => {
      open--
      markBusy(socket)
    })
  })
  server.prependListener('request', ({ socket }, response) => {
    markBusy(socket)
    response.once('close', () => {
      const isRefused = response.statusCode === 401 || response.statusCode === 403
      if (!socket.destroyed) (isRefused ? unaccepted : accepted).add(socket)
    })
  })
  server.prependListener('upgrade', ({ socket }) => markBusy(socket as Socket))
}

const oldestOf = (sockets: Set<Socket>): Socket | undefined => sockets.values().next().value
