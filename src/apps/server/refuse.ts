import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Failure } from '../../core/errors.js'
import { apiError, errorBody, errorHeaders, refusal } from './api-error.js'

/** Long enough for a client to notice that it need not send the rest. */
const lingerMs = 1000

/** Answers without looking at the body. What is still sent of it is thrown away, for a moment: a closed door loses the answer. */
export function refuse(incoming: IncomingMessage, outgoing: ServerResponse, why: Failure): void {
  const error = apiError(why)
  const text = JSON.stringify(errorBody(error))
  outgoing.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...errorHeaders(error),
  })
  outgoing.end(text)
  if (incoming.complete) return
  incoming.resume()
  const patience = setTimeout(() => incoming.socket.destroy(), lingerMs)
  incoming.once('close', () => clearTimeout(patience))
}

export function refuseUpgrade(socket: Duplex, why = onlyWebSocket()): void {
  answerRaw(socket, why)
}

/** What Node could not read as a request, or did not get in time. */
export function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const known: Record<string, [number, string, string]> = {
    HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers are too large.'],
    ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request took too long to arrive.'],
  }
  const [status, code, message] = known[error.code ?? ''] ?? [400, 'bad_request', 'This is not a request of HTTP.']
  answerRaw(socket, refusal({ status, code, message }))
}

function answerRaw(socket: Duplex, why: Failure): void {
  const error = apiError(why)
  const text = JSON.stringify(errorBody(error))
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    ...Object.entries(errorHeaders(error)).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.on('error', () => {})
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}

const onlyWebSocket = (): Failure =>
  refusal({ status: 426, code: 'upgrade_not_supported', message: 'A connection can only become a WebSocket.' })

export const serverBusy = (): Failure =>
  refusal({ status: 503, code: 'server_busy', message: 'Too many requests are at work. Try again.' })

export const serverClosing = (): Failure =>
  refusal({ status: 503, code: 'server_closing', message: 'The server is closing.' })
