import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Failure } from '../../core/errors.js'
import {
  type ApiError,
  errorBody,
  privacyHeaders,
  refusal,
  refuse,
  refuseUpgrade,
  serverBusy,
  serverClosing,
} from './api-error.js'
import type { Limits } from './limits.js'
import { type Mount, type RequestHead, requestHead } from './mount.js'

interface CheckSetup {
  hosts: OwnHosts
  /** Decides for mounts that have no login of their own. */
  authorize: Authorize
  mounts: readonly Pick<Mount, 'path' | 'checkLogin'>[]
  limits: Pick<Limits, 'bodyBytes'>
}

/** Returns why the credential of a request is not accepted; undefined if it is. */
export type Authorize = (request: RequestHead) => Failure | undefined

/** Returns why a request is refused, from its head alone; undefined if it is accepted. */
type RequestCheck = (request: RequestHead) => Failure | undefined

/** Checks Host, Origin, credential, Content-Type and Content-Length, in this order. */
export function requestCheck(setup: CheckSetup): RequestCheck {
  return (request) => {
    const failure = wrongHost(request, setup) ?? wrongOrigin(request, setup)
    if (failure !== undefined || isHealth(request)) return failure
    return wrongCredential(request, setup) ?? wrongBody(request, setup.limits)
  }
}

function wrongHost({ all }: RequestHead, { hosts }: CheckSetup): Failure | undefined {
  const named = all('host')
  const isOurs = named.length === 1 && [...named, ...all('x-forwarded-host')].every(hosts.isOwn)
  if (isOurs) return undefined
  return refusal({ status: 403, code: 'host_not_allowed', message: 'This host name is not allowed.' })
}

function wrongOrigin({ all }: RequestHead, { hosts }: CheckSetup): Failure | undefined {
  if (all('origin').every(hosts.isOwnOrigin)) return undefined
  return refusal({ status: 403, code: 'origin_not_allowed', message: 'Requests from this origin are not allowed.' })
}

const isHealth = ({ method, path }: RequestHead): boolean => method === 'GET' && path === '/health'

/** A mount with its own login accepts no access key. */
function wrongCredential(request: RequestHead, { mounts, authorize }: CheckSetup): Failure | undefined {
  const checkLogin = mountFor(request, mounts)?.checkLogin
  if (checkLogin === undefined) return isPreflight(request) ? undefined : authorize(request)
  const checked = checkLogin(request)
  return checked === true ? undefined : checked
}

/** A CORS preflight carries no credential and changes nothing. */
const isPreflight = ({ method, all }: RequestHead): boolean =>
  method === 'OPTIONS' && all('origin').length === 1 && all('access-control-request-method').length === 1

/** The body of an error in the protocol of the mount that serves a path. */
export function errorBodyFor(error: ApiError, path: string, mounts: readonly Pick<Mount, 'path' | 'errorBody'>[]) {
  return mountFor({ path }, mounts)?.errorBody?.(error, path) ?? errorBody(error)
}

/** The credential of a request. Clients of Anthropic's API send the key in a header of its own. */
export function credentialIn(header: (name: string) => string | undefined): string | undefined {
  const key = header('x-api-key')
  return header('authorization') ?? (key === undefined ? undefined : `Bearer ${key}`)
}

/** The mount with the longest matching path. */
function mountFor<Mounted extends Pick<Mount, 'path'>>(
  { path }: Pick<RequestHead, 'path'>,
  mounts: readonly Mounted[],
): Mounted | undefined {
  const matches = (mount: Mounted) => mount.path === '/' || path === mount.path || path.startsWith(`${mount.path}/`)
  return mounts.filter(matches).sort((one, other) => other.path.length - one.path.length)[0]
}

function wrongBody({ all, one }: RequestHead, { bodyBytes }: Pick<Limits, 'bodyBytes'>): Failure | undefined {
  const length = Number(one('content-length') ?? 0)
  const hasBody = length > 0 || all('transfer-encoding').length > 0
  if (!hasBody) return undefined
  if (!/^application\/json\s*(;|$)/i.test(one('content-type') ?? '') || all('content-encoding').length > 0) {
    return refusal({
      status: 415,
      code: 'unsupported_media_type',
      message: 'Send the body as uncompressed JSON with Content-Type: application/json.',
    })
  }
  return length > bodyBytes ? bodyTooLarge(bodyBytes) : undefined
}

export function bodyTooLarge(maxBytes: number): Failure {
  return refusal({
    status: 413,
    code: 'request_too_large',
    message: `The request is larger than ${Math.round(maxBytes / 1_000_000)} MB.`,
  })
}

interface ListenAddress {
  /** As given by the user: `127.0.0.1`, `0.0.0.0`, `notes.local`. */
  host: string
  port: number
  /** Origins of other pages and apps that may send requests: `app://obsidian.md`. */
  origins: readonly string[]
}

type OwnHosts = ReturnType<typeof ownHosts>

/** The Host and Origin values this server accepts. Any other name may belong to a DNS rebinding attack. */
export function ownHosts({ host, port, origins }: ListenAddress) {
  const listening = bracketed(host).toLowerCase()
  const isOpen = !isLoopbackHost(host)
  function isOwn(text: string): boolean {
    // Case does not matter. No client of ours sends a trailing dot, a user, a path or a space.
    const [, name, givenPort] = /^([a-z0-9.-]*[a-z0-9]|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/.exec(text.toLowerCase()) ?? []
    if (name === undefined || Number(givenPort ?? 80) !== port) return false
    if (loopbackNames.has(name) || name === listening) return true
    // An IP address cannot be rebound by a name server.
    return isOpen && isIP(name.replace(/^\[|\]$/g, '')) !== 0
  }
  return {
    isOwn,
    isOwnOrigin: (origin: string): boolean =>
      origins.includes(origin) || (origin.startsWith('http://') && isOwn(origin.slice(7))),
  }
}

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

export function isLoopbackHost(host: string): boolean {
  return loopbackNames.has(bracketed(host).toLowerCase())
}

/** The host as written in a URL: IPv6 addresses in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

interface IncomingSetup {
  check: RequestCheck
  mounts: readonly Pick<Mount, 'path' | 'errorBody'>[]
  /** Aborts when the server accepts no new requests. */
  ending: AbortSignal
  /** Maximum number of open requests. */
  maxOpen: number
  log(line: string): void
}

export type IncomingRequests = ReturnType<typeof incomingRequests>

/** Receives every request: checks it, counts and logs it, and answers those that are refused. */
export function incomingRequests({ check, mounts, ending, maxOpen, log }: IncomingSetup) {
  let open = 0
  const streams = new Map<ServerResponse | Duplex, RequestHead>()
  const track = (stream: ServerResponse | Duplex, head: RequestHead) => {
    streams.set(stream, head)
    stream.once('close', () => streams.delete(stream))
  }
  return {
    openCount: (): number => open,
    /** Ends open requests that would be refused now, because their access key was revoked. */
    dropRefused(): void {
      for (const [stream, head] of streams) if (check(head) !== undefined) stream.destroy()
    },
    receive(incoming: IncomingMessage, outgoing: ServerResponse, next: RequestListener): void {
      const head = requestHead(incoming)
      const startedAt = performance.now()
      for (const [name, value] of Object.entries(privacyHeaders)) outgoing.setHeader(name, value)
      outgoing.once('close', () => log(`${logLine(head)} ${outgoing.statusCode} ${elapsed(startedAt)}`))
      const failure = check(head) ?? (ending.aborted ? serverClosing() : open >= maxOpen ? serverBusy() : undefined)
      if (failure !== undefined) {
        refuse(incoming, outgoing, failure, (error) => errorBodyFor(error, head.path, mounts))
        return
      }
      open++
      track(outgoing, head)
      outgoing.once('close', () => open--)
      next(incoming, outgoing)
    },
    /** True if a connection may become a WebSocket. One that may not has been answered. */
    mayUpgrade(incoming: IncomingMessage, socket: Duplex): boolean {
      const head = requestHead(incoming)
      const failure = check(head) ?? (ending.aborted ? serverClosing() : undefined)
      log(`${logLine(head)} upgrade${failure === undefined ? '' : ' refused'}`)
      const isWebSocket = incoming.headers.upgrade?.toLowerCase() === 'websocket'
      if (failure === undefined && isWebSocket) {
        track(socket, head)
        return true
      }
      refuseUpgrade(socket, failure)
      return false
    },
  }
}

const logLine = ({ method, path }: RequestHead): string => `${method} ${path.slice(0, 200)}`
const elapsed = (startedAt: number): string => `${Math.round(performance.now() - startedAt)} ms`
