import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { WebSocketServer } from 'ws'
import { type Admission, admissionOf } from './admission.js'
import { keepRoom } from './connections.js'
import type { Door, DoorContext } from './door.js'
import { gate } from './gate.js'
import { type Limits, usualLimits } from './limits.js'
import { listen } from './listen.js'
import { mountDoors } from './mount-doors.js'
import { bracketed, ownHosts } from './own-hosts.js'
import { answerBadRequest } from './refuse.js'
import { tokenCheck } from './token-check.js'

export interface ServerSetup {
  host: string
  /** 0: any that is free. */
  port: number
  token: string
  doors: readonly Door[]
  /** Pages and apps that may speak to it besides its own. */
  origins?: readonly string[]
  limits?: Partial<Limits>
  /** One line for `--verbose`. */
  log?(line: string): void
}

export interface RunningServer {
  url: string
  port: number
  /** Takes nothing new, lets open replies end for a while, and closes everything. */
  close(): Promise<void>
}

/** A server with what it is made of; the last two are known once it listens. */
interface Parts {
  server: Server
  sockets: WebSocketServer
  limits: Limits
  ending: AbortController
  closing: AbortController
  admission?: Admission
  fetch?: ReturnType<typeof mountDoors>['fetch']
}

/** Opens the server and its doors. Nothing reaches a door that has not passed the gate. */
export async function startServer(setup: ServerSetup): Promise<RunningServer> {
  const { host, doors, origins, log = () => {} } = setup
  const parts = newParts({ ...usualLimits, ...setup.limits })
  const { server, limits } = parts
  const ending = parts.ending.signal
  const closing = parts.closing.signal
  const port = await listen(server, setup)
  const url = `http://${bracketed(host)}:${port}`
  const hosts = ownHosts({ host, port, origins })
  const passing = gate({ hosts, hasToken: tokenCheck(setup.token), doors, limits })
  const context: DoorContext = { url, ending, closing, log }
  parts.admission = admissionOf({ gate: passing, ending, most: limits.requests, log })
  parts.fetch = mountDoors(doors, context, limits).fetch
  keepRoom(server, limits.connections)
  server.on('clientError', answerBadRequest)
  let ended: Promise<void> | undefined
  return {
    url,
    port,
    close() {
      ended ??= end(parts, doors)
      return ended
    },
  }
}

function newParts(limits: Limits): Parts {
  const ending = new AbortController()
  const closing = new AbortController()
  // Every reply listens to them, however many there are.
  setMaxListeners(0, ending.signal, closing.signal)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.bodyBytes })
  const refusedUpgrades = new WeakSet<IncomingMessage>()
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: (request, env) => {
      if (refusedUpgrades.has(env.incoming as IncomingMessage)) return new Response(null, { status: 403 })
      return parts.fetch?.(request, env)
    },
    websocket: { server: sockets },
    serverOptions: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1000, limits.headMs),
      keepAliveTimeout: 30_000,
    },
    createServer: ((options: object, listener: RequestListener) =>
      createServer(options, (incoming, outgoing) =>
        parts.admission?.receive(incoming, outgoing, listener),
      )) as typeof createServer,
  }) as Server
  server.prependListener('upgrade', (incoming, socket) => {
    if (!parts.admission?.mayUpgrade(incoming, socket)) refusedUpgrades.add(incoming)
  })
  const parts: Parts = { server, sockets, limits, ending, closing }
  return parts
}

async function end(
  { server, sockets, limits, ending, closing, admission }: Parts,
  doors: readonly Door[],
): Promise<void> {
  ending.abort()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const patience = setTimeout(() => closing.abort(new Error('The server is closing.')), limits.goodbyeMs)
  await repliesOver(() => admission?.open() === 0 && sockets.clients.size === 0, closing.signal)
  clearTimeout(patience)
  closing.abort(new Error('The server is closing.'))
  await Promise.all(doors.map((door) => door.close?.()))
  for (const client of sockets.clients) client.terminate()
  server.closeAllConnections()
  await closed
}

/** Waits until all replies are over, or their time is. */
async function repliesOver(isOver: () => boolean, closing: AbortSignal): Promise<void> {
  while (!isOver() && !closing.aborted) await new Promise((resolve) => setTimeout(resolve, 20))
}
