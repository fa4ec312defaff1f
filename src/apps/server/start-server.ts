import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { WebSocketServer } from 'ws'
import { Failure } from '../../core/errors.js'
import { keepRoom } from './connections.js'
import type { Door, DoorContext } from './door.js'
import { gate } from './gate.js'
import { type Limits, usualLimits } from './limits.js'
import { mountDoors } from './mount-doors.js'
import { bracketed, ownHosts } from './own-hosts.js'
import { answerBadRequest, refuse, refuseUpgrade, serverBusy, serverClosing } from './refuse.js'
import { type RequestHead, requestHead } from './request-head.js'
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

/** Opens the server and its doors. Nothing reaches a door that has not passed the gate. */
export async function startServer(setup: ServerSetup): Promise<RunningServer> {
  const limits = { ...usualLimits, ...setup.limits }
  const { host, doors, origins, log = () => {} } = setup
  const ending = new AbortController()
  const closing = new AbortController()
  // Every reply listens to them, however many there are.
  setMaxListeners(0, ending.signal, closing.signal)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.bodyBytes })
  const refusedUpgrades = new WeakSet<IncomingMessage>()
  let fetchFrom: ReturnType<typeof mountDoors>['fetch'] | undefined

  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: (request, env) => {
      if (refusedUpgrades.has(env.incoming as IncomingMessage)) return new Response(null, { status: 403 })
      return fetchFrom?.(request, env)
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
      createServer(options, (incoming, outgoing) => receive(incoming, outgoing, listener))) as typeof createServer,
  }) as Server
  const port = await listen(server, setup)
  const url = `http://${bracketed(host)}:${port}`
  const isLetIn = gate({
    hosts: ownHosts({ host, port, origins }),
    hasToken: tokenCheck(setup.token),
    doors,
    limits,
  })
  const context: DoorContext = { url, ending: ending.signal, closing: closing.signal, log }
  fetchFrom = mountDoors(doors, context, limits).fetch
  let open = 0

  function receive(incoming: IncomingMessage, outgoing: ServerResponse, listener: RequestListener): void {
    const head = requestHead(incoming)
    const startedAt = performance.now()
    outgoing.once('close', () => log(`${lineOf(head)} ${outgoing.statusCode} ${since(startedAt)}`))
    const why =
      isLetIn(head) ?? (ending.signal.aborted ? serverClosing() : open >= limits.requests ? serverBusy() : undefined)
    if (why !== undefined) {
      refuse(incoming, outgoing, why)
      return
    }
    open++
    outgoing.once('close', () => open--)
    listener(incoming, outgoing)
  }

  keepRoom(server, limits.connections)
  server.on('clientError', answerBadRequest)
  server.prependListener('upgrade', (incoming, socket) => {
    const head = requestHead(incoming)
    const why = isLetIn(head) ?? (ending.signal.aborted ? serverClosing() : undefined)
    log(`${lineOf(head)} upgrade${why === undefined ? '' : ' refused'}`)
    const isWebSocket = incoming.headers.upgrade?.toLowerCase() === 'websocket'
    if (why === undefined && isWebSocket) return
    refusedUpgrades.add(incoming)
    refuseUpgrade(socket, why)
  })

  async function end(): Promise<void> {
    ending.abort()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    const patience = setTimeout(() => closing.abort(new Error('The server is closing.')), limits.goodbyeMs)
    await repliesOver(() => open === 0 && sockets.clients.size === 0, closing.signal)
    clearTimeout(patience)
    closing.abort(new Error('The server is closing.'))
    await Promise.all(doors.map((door) => door.close?.()))
    for (const client of sockets.clients) client.terminate()
    server.closeAllConnections()
    await closed
  }

  let ended: Promise<void> | undefined
  return {
    url,
    port,
    close() {
      ended ??= end()
      return ended
    },
  }
}

/** Waits until all replies are over, or their time is. */
async function repliesOver(isOver: () => boolean, closing: AbortSignal): Promise<void> {
  while (!isOver() && !closing.aborted) await new Promise((resolve) => setTimeout(resolve, 20))
}

function listen(server: Server, { host, port }: ServerSetup): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)))
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const hints: Record<string, [string, string]> = {
    EADDRINUSE: [
      `Port ${port} is taken by another program.`,
      'Choose another with --port, or any that is free: --port 0',
    ],
    EACCES: [`Port ${port} may not be opened by you.`, 'Choose one above 1023 with --port.'],
    EADDRNOTAVAIL: [`${host} is no address of this machine.`, 'Use --host 127.0.0.1'],
    ENOTFOUND: [`There is no host named ${host}.`, 'Use --host 127.0.0.1'],
  }
  const known = hints[error.code ?? '']
  return known === undefined ? error : new Failure('internal', known[0], { hint: known[1] })
}

const lineOf = ({ method, path }: RequestHead): string => `${method} ${path.slice(0, 200)}`
const since = (startedAt: number): string => `${Math.round(performance.now() - startedAt)} ms`
