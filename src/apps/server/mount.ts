import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Failure } from '../../core/errors.js'
import type { ApiError } from './api-error.js'

/** The Hono environment of every route. */
export interface ServerEnv {
  Bindings: HttpBindings
  Variables: {
    /** The parsed JSON of the request; undefined if it had no body. */
    body: unknown
  }
}

/** The context a mount gets from the server. */
export interface MountContext {
  /** The base URL of the server: `http://127.0.0.1:4317`. */
  url: string
  /** Aborts when the server accepts no new requests: idle WebSockets close now. */
  ending: AbortSignal
  /** Aborts `shutdownMs` later: open replies must stop. */
  closing: AbortSignal
  /** One line for `--verbose`: no text of notes or conversations, no keys. */
  log(line: string): void
}

/**
 * One app served below a path. Its routes see only requests that passed the request check (Host, Origin, credential,
 * media type, size), and the body as `c.get('body')`. Errors they throw are answered in the shape of OpenAI's API.
 */
export interface Mount {
  /** The prefix of its routes, `/v1`; `/` for everything no other mount has. */
  path: string
  addRoutes(routes: Hono<ServerEnv>, context: MountContext): void
  /** A login instead of access keys: true, or why the request is refused. Host and Origin have been checked before. */
  checkLogin?(request: RequestHead): true | Failure
  /** The body of a refusal in the protocol of this mount; by default in the shape of OpenAI's API. */
  errorBody?(error: ApiError, path: string): object
  close?(): Promise<void>
}

/** Method, path and headers of a request, before its body is read. */
export interface RequestHead {
  method: string
  /** Without the query. */
  path: string
  /** All values of a header; some headers must not be sent twice. */
  all(name: string): string[]
  /** The only value of a header; undefined if there is none or more than one. */
  one(name: string): string | undefined
}

export function requestHead({ method = 'GET', url = '/', rawHeaders }: IncomingMessage): RequestHead {
  const sent = new Map<string, string[]>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [rawName = '', rawValue = ''] = rawHeaders.slice(at, at + 2)
    const name = rawName.toLowerCase()
    sent.set(name, [...(sent.get(name) ?? []), rawValue.trim()])
  }
  const all = (name: string) => sent.get(name) ?? []
  return {
    method,
    path: url.replace(/\?.*$/s, ''),
    all,
    one(name) {
      const values = all(name)
      return values.length === 1 ? values[0] : undefined
    },
  }
}
