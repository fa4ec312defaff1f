import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps room for one more: where all connections are taken, the one is closed that has been idle longest, of those on
 * which nobody has been let in yet if there are any. Whoever holds many open without asking anything locks nobody out,
 * and does not cut off those who come back on the connection they have.
 */
export function keepRoom(server: Server, most: number): void {
  /** In the order in which they became idle. */
  const strangers = new Set<Socket>()
  const known = new Set<Socket>()
  let open = 0
  const busy = (socket: Socket) => strangers.delete(socket) || known.delete(socket)
  server.on('connection', (socket: Socket) => {
    open++
    if (open > most) (first(strangers) ?? first(known) ?? socket).destroy()
    strangers.add(socket)
    socket.once('close', () => {
      open--
      busy(socket)
    })
  })
  server.prependListener('request', ({ socket }, response) => {
    busy(socket)
    response.once('close', () => {
      const isRefused = response.statusCode === 401 || response.statusCode === 403
      if (!socket.destroyed) (isRefused ? strangers : known).add(socket)
    })
  })
  server.prependListener('upgrade', ({ socket }) => busy(socket as Socket))
}

const first = (sockets: Set<Socket>): Socket | undefined => sockets.values().next().value
