import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps room for one more: where all connections are taken, the one that has been idle longest is closed. Whoever holds
 * many open without asking anything locks nobody out.
 */
export function keepRoom(server: Server, most: number): void {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>()
  let open = 0
  server.on('connection', (socket: Socket) => {
    open++
    if (open > most) (idle.values().next().value ?? socket).destroy()
    idle.add(socket)
    socket.once('close', () => {
      open--
      idle.delete(socket)
    })
  })
  server.prependListener('request', ({ socket }, response) => {
    idle.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket)
    })
  })
  server.prependListener('upgrade', ({ socket }) => idle.delete(socket as Socket))
}
