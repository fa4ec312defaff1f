import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure, type FailureCode } from '../../core/errors.js'
import { modelFailureData } from '../../core/model/index.js'

type ErrorType = 'invalid_request_error' | 'not_found' | 'too_many_requests' | 'model_error' | 'server_error'

/** An error in the shape of OpenAI's API. */
export interface ApiError {
  status: number
  type: ErrorType
  code: string | null
  message: string
  /** The field with the error: `tools[0].name`. */
  param: string | null
  retryAfterMs?: number
}

type ErrorKind = Pick<ApiError, 'status' | 'type' | 'code'>

const errorKind = (status: number, type: ErrorType, code: string): ErrorKind => ({ status, type, code })

/** Failures of our own, by code. */
const kindOfFailure: Record<FailureCode, ErrorKind> = {
  'invalid-input': errorKind(400, 'invalid_request_error', 'invalid_value'),
  ambiguous: errorKind(400, 'invalid_request_error', 'invalid_value'),
  path: errorKind(400, 'invalid_request_error', 'invalid_value'),
  'unknown-tool': errorKind(400, 'invalid_request_error', 'unknown_tool'),
  'not-utf8': errorKind(400, 'invalid_request_error', 'invalid_value'),
  'not-found': errorKind(404, 'not_found', 'not_found'),
  denied: errorKind(403, 'invalid_request_error', 'denied'),
  'needs-approval': errorKind(403, 'invalid_request_error', 'needs_approval'),
  conflict: errorKind(409, 'invalid_request_error', 'conflict'),
  'too-large': errorKind(413, 'invalid_request_error', 'request_too_large'),
  timeout: errorKind(504, 'server_error', 'timeout'),
  'not-ready': errorKind(503, 'server_error', 'not_ready'),
  network: errorKind(502, 'server_error', 'network'),
  internal: errorKind(500, 'server_error', 'internal_error'),
}

/** Failures of a model or its provider, by kind. A refused API key of ours is not an error of the client. */
const kindOfModelFailure: Record<string, ErrorKind> = {
  'no-key': errorKind(500, 'server_error', 'backend_key_missing'),
  key: errorKind(502, 'model_error', 'backend_key_refused'),
  credit: errorKind(429, 'too_many_requests', 'insufficient_quota'),
  'rate-limit': errorKind(429, 'too_many_requests', 'rate_limit_exceeded'),
  overloaded: errorKind(503, 'server_error', 'backend_overloaded'),
  'unknown-model': errorKind(404, 'not_found', 'model_not_found'),
  context: errorKind(400, 'invalid_request_error', 'context_length_exceeded'),
  'no-tools': errorKind(400, 'invalid_request_error', 'tools_not_supported'),
  rejected: errorKind(400, 'invalid_request_error', 'backend_refused'),
  unreachable: errorKind(502, 'server_error', 'backend_unreachable'),
  disconnected: errorKind(502, 'server_error', 'backend_disconnected'),
  stalled: errorKind(504, 'server_error', 'backend_stalled'),
  'not-an-api': errorKind(502, 'server_error', 'backend_not_an_api'),
  malformed: errorKind(502, 'model_error', 'backend_malformed'),
  filtered: errorKind(400, 'invalid_request_error', 'content_filter'),
  empty: errorKind(502, 'model_error', 'empty_reply'),
  'tool-choice': errorKind(502, 'model_error', 'tool_choice_not_kept'),
  'text-call': errorKind(502, 'model_error', 'call_written_as_text'),
}

/** A failure that carries its HTTP status and error code. */
export function refusal({ message, ...answer }: Partial<ApiError> & { status: number; message: string }): Failure {
  return new Failure('invalid-input', message, { data: { answer } })
}

/** A field with a value that is not supported. */
export function badField(param: string, message: string, code = 'invalid_value'): Failure {
  return refusal({ status: 400, code, param, message })
}

/** Turns anything thrown into an error for the client. Bugs become one generic sentence. */
export function apiError(error: unknown): ApiError {
  if (!(error instanceof Failure)) {
    return { ...kindOfFailure.internal, message: 'The server failed unexpectedly.', param: null }
  }
  const message = [error.message, error.details.hint].filter(Boolean).join(' ')
  const answer = error.details.data?.answer as Partial<ApiError> | undefined
  if (answer?.status !== undefined) {
    return { ...kindOfStatus(answer.status), param: null, ...answer, message }
  }
  const model = modelFailureData(error)
  const known = (model && kindOfModelFailure[model.kind]) ?? kindOfFailure[error.code]
  const wait = model?.retryAfterMs
  const param = known.code === 'model_not_found' ? 'model' : null
  return { ...known, message, param, ...(wait !== undefined && { retryAfterMs: wait }) }
}

function kindOfStatus(status: number): ErrorKind {
  if (status === 404) return errorKind(status, 'not_found', 'not_found')
  if (status === 429 || status === 503) return errorKind(status, 'too_many_requests', 'too_many_requests')
  return status >= 500
    ? errorKind(status, 'server_error', 'internal_error')
    : errorKind(status, 'invalid_request_error', 'invalid_value')
}

export function errorBody({ type, code, message, param }: ApiError): { error: Record<string, string | null> } {
  return { error: { message, type, param, code } }
}

export function errorHeaders({ status, retryAfterMs }: ApiError): Record<string, string> {
  if (retryAfterMs !== undefined) return { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' }
  return status === 503 ? { 'Retry-After': '1' } : {}
}

/** Time for a client to notice that it can stop sending its body. */
const lingerMs = 1000

/** Headers of every response, refusals included. A route may override one: the files of the web page may be cached. */
export const privacyHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/**
 * Answers without reading the body. The rest of it is discarded for a moment: closing immediately would lose the
 * answer.
 */
export function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  failure: Failure,
  bodyOf: (error: ApiError) => object = errorBody,
): void {
  const error = apiError(failure)
  const text = JSON.stringify(bodyOf(error))
  outgoing.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...errorHeaders(error),
  })
  outgoing.end(text)
  if (incoming.complete) return
  incoming.resume()
  const timeout = setTimeout(() => incoming.socket.destroy(), lingerMs)
  incoming.once('close', () => clearTimeout(timeout))
}

export function refuseUpgrade(socket: Duplex, failure = onlyWebSocket()): void {
  sendRaw(socket, failure)
}

/** Answers requests that Node could not parse, or did not receive in time. */
export function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const known: Record<string, [number, string, string]> = {
    HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers are too large.'],
    ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request took too long to arrive.'],
  }
  const [status, code, message] = known[error.code ?? ''] ?? [400, 'bad_request', 'This is not a valid HTTP request.']
  sendRaw(socket, refusal({ status, code, message }))
}

function sendRaw(socket: Duplex, failure: Failure): void {
  const error = apiError(failure)
  const text = JSON.stringify(errorBody(error))
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    ...Object.entries({ ...privacyHeaders, ...errorHeaders(error) }).map(([name, value]) => `${name}: ${value}`),
  ]
  // The client may have disconnected already.
  socket.on('error', () => {})
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}

const onlyWebSocket = (): Failure =>
  refusal({ status: 426, code: 'upgrade_not_supported', message: 'A connection can only be upgraded to a WebSocket.' })

export const serverBusy = (): Failure =>
  refusal({ status: 503, code: 'server_busy', message: 'Too many requests at once. Try again.' })

export const serverClosing = (): Failure =>
  refusal({ status: 503, code: 'server_closing', message: 'The server is closing.' })
