import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type WebSocketServerLike } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { WebSocketServer } from 'ws'
import { Failure } from '../../core/errors.js'
import { answerBadRequest, apiError, errorBody, errorHeaders, refusal } from './api-error.js'
import {
  type Authorize,
  bracketed,
  errorBodyFor,
  type IncomingRequests,
  incomingRequests,
  ownHosts,
  requestCheck,
} from './check-request.js'
import { defaultLimits, type Limits, limitConnections } from './limits.js'
import type { Mount, MountContext, ServerEnv } from './mount.js'
import { readBody } from './read-body.js'

interface ServerSetup {
  host: string
  /** 0 for any free port. */
  port: number
  /** Checks the access key of requests to mounts that have no login of their own. Without it, those are all refused. */
  authorize?: Authorize
  mounts: readonly Mount[]
  /** Origins of other pages and apps that may send requests. */
  origins?: readonly string[]
  limits?: Partial<Limits>
  /** One line for `--verbose`. */
  log?(line: string): void
}

export interface RunningServer {
  url: string
  port: number
  /** Accepts no new requests, waits up to `shutdownMs` for open replies, then closes everything. */
  close(): Promise<void>
}

/** Interval at which open requests are checked again, to end those whose access key was revoked. */
const recheckMs = 1000

/** Starts the server with its mounts. Only requests that pass the request check reach a mount. */
export async function startServer(setup: ServerSetup): Promise<RunningServer> {
  const { host, mounts, origins = [], log = () => {} } = setup
  const state = newServer({ ...defaultLimits, ...setup.limits })
  const { server, limits } = state
  const ending = state.ending.signal
  const closing = state.closing.signal
  const port = await listen(server, setup)
  const url = `http://${bracketed(host)}:${port}`
  const hosts = ownHosts({ host, port, origins })
  const check = requestCheck({ hosts, authorize: setup.authorize ?? noAccessKey, mounts, limits })
  state.incoming = incomingRequests({ check, mounts, ending, maxOpen: limits.openRequests, log })
  state.fetch = mountAll(mounts, { url, ending, closing, log }, limits).fetch
  limitConnections(server, limits.connections)
  server.on('clientError', answerBadRequest)
  const recheck = setInterval(() => state.incoming?.dropRefused(), recheckMs)
  recheck.unref()
  let closed: Promise<void> | undefined
  return {
    url,
    port,
    close() {
      clearInterval(recheck)
      closed ??= closeServer(state, mounts)
      return closed
    },
  }
}

const noAccessKey = () =>
  refusal({ status: 401, code: 'invalid_api_key', message: 'This server accepts no access keys.' })

/** `incoming` and `fetch` are set once the server listens and its port is known. */
interface ServerState {
  server: Server
  sockets: WebSocketServer
  limits: Limits
  /** Aborts when the server accepts no new requests. */
  ending: AbortController
  /** Aborts when open replies must stop too. */
  closing: AbortController
  incoming?: IncomingRequests
  fetch?: ReturnType<typeof mountAll>['fetch']
}

function newServer(limits: Limits): ServerState {
  const ending = new AbortController()
  const closing = new AbortController()
  // Every reply listens to both signals.
  setMaxListeners(0, ending.signal, closing.signal)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.bodyBytes })
  const refusedUpgrades = new WeakSet<IncomingMessage>()
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: (request, env) => {
      if (refusedUpgrades.has(env.incoming as IncomingMessage)) return new Response(null, { status: 403 })
      return state.fetch?.(request, env)
    },
    // The two packages declare optional fields of their sockets differently.
    websocket: { server: sockets as unknown as WebSocketServerLike },
    serverOptions: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headerMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1000, limits.headerMs),
      keepAliveTimeout: 30_000,
    },
    createServer: ((options: object, listener: RequestListener) =>
      createServer(options, (incoming, outgoing) =>
        state.incoming?.receive(incoming, outgoing, listener),
      )) as typeof createServer,
  }) as Server
  server.prependListener('upgrade', (incoming, socket) => {
    if (!state.incoming?.mayUpgrade(incoming, socket)) refusedUpgrades.add(incoming)
  })
  const state: ServerState = { server, sockets, limits, ending, closing }
  return state
}

/** Opens a port, 0 for any free one, and returns the port that was opened. */
function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port)))
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const hints: Record<string, [string, string]> = {
    EADDRINUSE: [`Port ${port} is in use.`, 'Choose another port with --port, or any free port with --port 0.'],
    EACCES: [`No permission to open port ${port}.`, 'Choose a port above 1023 with --port.'],
    EADDRNOTAVAIL: [`${host} is not an address of this computer.`, 'Use --host 127.0.0.1'],
    ENOTFOUND: [`Host not found: ${host}`, 'Use --host 127.0.0.1'],
  }
  const known = hints[error.code ?? '']
  return known === undefined
    ? error
    : new Failure('internal', known[0], { hint: known[1], data: { cause: error.code } })
}

/** One app with the routes of all mounts. */
function mountAll(mounts: readonly Mount[], context: MountContext, limits: Limits): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>()
  app.use(crossOrigin)
  app.get('/health', (c) => c.text('ok'))
  app.use(readBody(limits))
  for (const mount of mounts) {
    const routes = new Hono<ServerEnv>()
    mount.addRoutes(routes, context)
    app.route(mount.path, routes)
  }
  app.notFound((c) => {
    const message = `Not found: ${c.req.method} ${c.req.path}`
    const error = apiError(refusal({ status: 404, code: 'unknown_url', message }))
    return c.json(errorBody(error), 404)
  })
  app.onError((thrown, c) => {
    // The client has disconnected.
    if (c.req.raw.signal.aborted) return c.body(null, 400)
    const error = apiError(thrown)
    if (error.code === 'internal_error') context.log(`failed unexpectedly: ${thrown.stack ?? thrown.message}`)
    const body = errorBodyFor(error, c.req.path, mounts)
    return c.json(body, error.status as ContentfulStatusCode, errorHeaders(error))
  })
  return app
}

/** CORS headers for origins that passed the request check; requests without an Origin get none. */
const crossOrigin: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const origin = c.req.header('origin')
  const isPreflight = c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined
  if (origin === undefined) return next()
  if (isPreflight) {
    return c.body(null, 204, {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': 'GET, POST, DELETE',
      'Access-Control-Allow-Headers': c.req.header('access-control-request-headers') ?? '',
      'Access-Control-Max-Age': '600',
      Vary: 'Origin',
    })
  }
  // WebSocket upgrades have no outgoing response.
  c.env.outgoing?.setHeader('Access-Control-Allow-Origin', origin).setHeader('Vary', 'Origin')
  return next()
}

async function closeServer(state: ServerState, mounts: readonly Mount[]): Promise<void> {
  const { server, sockets, limits, ending, closing, incoming } = state
  ending.abort()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timeout = setTimeout(() => closing.abort(new Error('The server is closing.')), limits.shutdownMs)
  await waitForReplies(() => incoming?.openCount() === 0 && sockets.clients.size === 0, closing.signal)
  clearTimeout(timeout)
  closing.abort(new Error('The server is closing.'))
  await Promise.all(mounts.map((mount) => mount.close?.()))
  for (const client of sockets.clients) client.terminate()
  server.closeAllConnections()
  await closed
}

/** Polls until all replies have ended, or `closing` aborts. */
async function waitForReplies(areDone: () => boolean, closing: AbortSignal): Promise<void> {
  while (!areDone() && !closing.aborted) await new Promise((resolve) => setTimeout(resolve, 20))
}
