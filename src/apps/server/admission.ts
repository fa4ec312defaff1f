import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Gate } from './gate.js'
import { refuse, refuseUpgrade, serverBusy, serverClosing } from './refuse.js'
import { type RequestHead, requestHead } from './request-head.js'

export interface AdmissionSetup {
  gate: Gate
  /** Aborts when nothing new is taken any more. */
  ending: AbortSignal
  /** How many requests are at work at most. */
  most: number
  log(line: string): void
}

/** Where every request comes in, and most that should not go away again. */
export interface Admission {
  receive(incoming: IncomingMessage, outgoing: ServerResponse, next: RequestListener): void
  /** Whether a connection may become a WebSocket; one that may not has been answered. */
  mayUpgrade(incoming: IncomingMessage, socket: Duplex): boolean
  /** Requests at work. */
  open(): number
}

export function admissionOf({ gate, ending, most, log }: AdmissionSetup): Admission {
  let open = 0
  return {
    open: () => open,
    receive(incoming, outgoing, next) {
      const head = requestHead(incoming)
      const startedAt = performance.now()
      outgoing.once('close', () => log(`${lineOf(head)} ${outgoing.statusCode} ${since(startedAt)}`))
      const why = gate(head) ?? (ending.aborted ? serverClosing() : open >= most ? serverBusy() : undefined)
      if (why !== undefined) return refuse(incoming, outgoing, why)
      open++
      outgoing.once('close', () => open--)
      next(incoming, outgoing)
    },
    mayUpgrade(incoming, socket) {
      const head = requestHead(incoming)
      const why = gate(head) ?? (ending.aborted ? serverClosing() : undefined)
      log(`${lineOf(head)} upgrade${why === undefined ? '' : ' refused'}`)
      const isWebSocket = incoming.headers.upgrade?.toLowerCase() === 'websocket'
      if (why === undefined && isWebSocket) return true
      refuseUpgrade(socket, why)
      return false
    },
  }
}

const lineOf = ({ method, path }: RequestHead): string => `${method} ${path.slice(0, 200)}`
const since = (startedAt: number): string => `${Math.round(performance.now() - startedAt)} ms`
