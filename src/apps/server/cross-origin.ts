import type { MiddlewareHandler } from 'hono'
import type { ServerEnv } from './door.js'

/** A page or app whose origin passed the gate may read what it is answered; nobody else hears a word about origins. */
export const crossOrigin: MiddlewareHandler<ServerEnv> = async (c, next) => {
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
  // A WebSocket's beginning has no response of its own.
  c.env.outgoing?.setHeader('Access-Control-Allow-Origin', origin).setHeader('Vary', 'Origin')
  return next()
}
