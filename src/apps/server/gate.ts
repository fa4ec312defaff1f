import type { Failure } from '../../core/errors.js'
import { refusal } from './api-error.js'
import type { Door } from './door.js'
import type { Limits } from './limits.js'
import type { OwnHosts } from './own-hosts.js'
import type { RequestHead } from './request-head.js'

export interface GateSetup {
  hosts: OwnHosts
  hasToken(authorization: string | undefined): boolean
  doors: readonly Pick<Door, 'path' | 'admits'>[]
  limits: Pick<Limits, 'bodyBytes'>
}

/** Why a request is not let in; undefined when it is. Looks at the head alone. */
export type Gate = (request: RequestHead) => Failure | undefined

/** In this order: who is meant, where it comes from, who asks, and whether it is something that is read here. */
export function gate(setup: GateSetup): Gate {
  return (request) => wrongHost(request, setup) ?? wrongOrigin(request, setup) ?? notAdmitted(request, setup)
}

function wrongHost({ all }: RequestHead, { hosts }: GateSetup): Failure | undefined {
  const named = all('host')
  const isOurs = named.length === 1 && [...named, ...all('x-forwarded-host')].every(hosts.isOwn)
  if (isOurs) return undefined
  return refusal({ status: 403, code: 'host_not_allowed', message: 'This server does not answer to that host name.' })
}

function wrongOrigin({ all }: RequestHead, { hosts }: GateSetup): Failure | undefined {
  if (all('origin').every(hosts.isOwnOrigin)) return undefined
  return refusal({ status: 403, code: 'origin_not_allowed', message: 'Pages of other origins are not served.' })
}

function notAdmitted(request: RequestHead, setup: GateSetup): Failure | undefined {
  if (isHealth(request) || isPreflight(request)) return undefined
  const isKnown = setup.hasToken(request.one('authorization')) || doorOf(request, setup.doors)?.admits?.(request)
  if (!isKnown) {
    return refusal({
      status: 401,
      code: 'invalid_api_key',
      message: 'The token is missing or wrong. See it with: notewright serve --show-token',
    })
  }
  return wrongBody(request, setup.limits)
}

function wrongBody({ all, one }: RequestHead, { bodyBytes }: Pick<Limits, 'bodyBytes'>): Failure | undefined {
  const length = Number(one('content-length') ?? 0)
  const hasBody = length > 0 || all('transfer-encoding').length > 0
  if (!hasBody) return undefined
  if (!/^application\/json\s*(;|$)/i.test(one('content-type') ?? '') || all('content-encoding').length > 0) {
    return refusal({
      status: 415,
      code: 'unsupported_media_type',
      message: 'Send the body as JSON, not compressed: Content-Type: application/json',
    })
  }
  return length > bodyBytes ? bodyTooLarge(bodyBytes) : undefined
}

export function bodyTooLarge(most: number): Failure {
  return refusal({
    status: 413,
    code: 'request_too_large',
    message: `The request is larger than ${Math.round(most / 1_000_000)} MB.`,
  })
}

export const isHealth = ({ method, path }: RequestHead): boolean => method === 'GET' && path === '/health'

/** What a browser asks before it sends a request of an allowed origin; it brings no token and changes nothing. */
export const isPreflight = ({ method, all }: RequestHead): boolean =>
  method === 'OPTIONS' && all('origin').length === 1 && all('access-control-request-method').length === 1

/** The door with the longest path that fits. */
function doorOf<Mounted extends Pick<Door, 'path'>>({ path }: RequestHead, doors: readonly Mounted[]) {
  const fits = (door: Mounted) => door.path === '/' || path === door.path || path.startsWith(`${door.path}/`)
  return doors.filter(fits).sort((one, other) => other.path.length - one.path.length)[0]
}
