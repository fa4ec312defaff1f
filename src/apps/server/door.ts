import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { RequestHead } from './request-head.js'

/** What every route of a door finds in its context. */
export interface ServerEnv {
  Bindings: HttpBindings
  Variables: {
    /** The request's JSON, read and checked; undefined where there was no body. */
    body: unknown
  }
}

/** What the server lends a door. */
export interface DoorContext {
  /** Where the server answers: `http://127.0.0.1:4317`. */
  url: string
  /** Aborts when nothing new is taken any more: what stays open without a reply, such as an idle WebSocket, closes now. */
  ending: AbortSignal
  /** Aborts when open replies have had their time after that. */
  closing: AbortSignal
  /** One line for `--verbose`: never text of a note or a conversation, never a key. */
  log(line: string): void
}

/**
 * One thing the server serves, mounted below a path. Its routes see only requests that passed the gate (Host, Origin,
 * token, media type, size), and the body as `c.get('body')`. What they throw is answered in the API's error shape.
 */
export interface Door {
  /** What its routes begin with, `/v1`; `/` for whatever no other door has. */
  path: string
  mount(routes: Hono<ServerEnv>, context: DoorContext): void
  /** Another way to know who asks than the token, such as a page's cookie. Host and Origin have been checked by then. */
  admits?(request: RequestHead): boolean
  close?(): Promise<void>
}
