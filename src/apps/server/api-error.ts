import { Failure, type FailureCode } from '../../core/errors.js'
import { modelFailureData } from '../../core/model/index.js'

type ErrorType = 'invalid_request_error' | 'not_found' | 'too_many_requests' | 'model_error' | 'server_error'

/** An error as clients of the API know it. */
export interface ApiError {
  status: number
  type: ErrorType
  code: string | null
  message: string
  /** The field it is about: `tools[0].name`. */
  param: string | null
  retryAfterMs?: number
}

type Kind = Pick<ApiError, 'status' | 'type' | 'code'>

const kind = (status: number, type: ErrorType, code: string): Kind => ({ status, type, code })

/** What can go wrong on our side. */
const failures: Record<FailureCode, Kind> = {
  'invalid-input': kind(400, 'invalid_request_error', 'invalid_value'),
  ambiguous: kind(400, 'invalid_request_error', 'invalid_value'),
  path: kind(400, 'invalid_request_error', 'invalid_value'),
  'unknown-tool': kind(400, 'invalid_request_error', 'unknown_tool'),
  'not-utf8': kind(400, 'invalid_request_error', 'invalid_value'),
  'not-found': kind(404, 'not_found', 'not_found'),
  denied: kind(403, 'invalid_request_error', 'denied'),
  'needs-approval': kind(403, 'invalid_request_error', 'needs_approval'),
  conflict: kind(409, 'invalid_request_error', 'conflict'),
  'too-large': kind(413, 'invalid_request_error', 'request_too_large'),
  timeout: kind(504, 'server_error', 'timeout'),
  network: kind(502, 'server_error', 'network'),
  internal: kind(500, 'server_error', 'internal_error'),
}

/** What can go wrong between us and a model, by its kind. A key of ours that is refused is no fault of the client. */
const modelFailures: Record<string, Kind> = {
  'no-key': kind(500, 'server_error', 'backend_key_missing'),
  key: kind(502, 'model_error', 'backend_key_refused'),
  credit: kind(429, 'too_many_requests', 'insufficient_quota'),
  'rate-limit': kind(429, 'too_many_requests', 'rate_limit_exceeded'),
  overloaded: kind(503, 'server_error', 'backend_overloaded'),
  'unknown-model': kind(404, 'not_found', 'model_not_found'),
  context: kind(400, 'invalid_request_error', 'context_length_exceeded'),
  'no-tools': kind(400, 'invalid_request_error', 'tools_not_supported'),
  rejected: kind(400, 'invalid_request_error', 'backend_refused'),
  unreachable: kind(502, 'server_error', 'backend_unreachable'),
  disconnected: kind(502, 'server_error', 'backend_disconnected'),
  stalled: kind(504, 'server_error', 'backend_stalled'),
  'not-an-api': kind(502, 'server_error', 'backend_not_an_api'),
  malformed: kind(502, 'model_error', 'backend_malformed'),
  filtered: kind(400, 'invalid_request_error', 'content_filter'),
  empty: kind(502, 'model_error', 'empty_reply'),
  'tool-choice': kind(502, 'model_error', 'tool_choice_not_kept'),
  'text-call': kind(502, 'model_error', 'call_written_as_text'),
}

/** A failure that says itself how it is answered. */
export function refusal({ message, ...answer }: Partial<ApiError> & { status: number; message: string }): Failure {
  return new Failure('invalid-input', message, { data: { answer } })
}

/** A field that cannot be honoured as it was sent. */
export function badField(param: string, message: string, code = 'invalid_value'): Failure {
  return refusal({ status: 400, code, param, message })
}

/** The one place where something that went wrong becomes an answer. A bug is told in one harmless sentence. */
export function apiError(error: unknown): ApiError {
  if (!(error instanceof Failure)) {
    return { ...failures.internal, message: 'The server failed unexpectedly.', param: null }
  }
  const message = [error.message, error.details.hint].filter(Boolean).join(' ')
  const answer = error.details.data?.answer as Partial<ApiError> | undefined
  if (answer?.status !== undefined) {
    return { ...usual(answer.status), param: null, ...answer, message }
  }
  const model = modelFailureData(error)
  const known = (model && modelFailures[model.kind]) ?? failures[error.code]
  const wait = model?.retryAfterMs
  const param = known.code === 'model_not_found' ? 'model' : null
  return { ...known, message, param, ...(wait !== undefined && { retryAfterMs: wait }) }
}

function usual(status: number): Kind {
  if (status === 404) return kind(status, 'not_found', 'not_found')
  if (status === 429 || status === 503) return kind(status, 'too_many_requests', 'too_many_requests')
  return status >= 500
    ? kind(status, 'server_error', 'internal_error')
    : kind(status, 'invalid_request_error', 'invalid_value')
}

export function errorBody({ type, code, message, param }: ApiError): { error: Record<string, string | null> } {
  return { error: { message, type, param, code } }
}

export function errorHeaders({ status, retryAfterMs }: ApiError): Record<string, string> {
  if (retryAfterMs !== undefined) return { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' }
  return status === 503 ? { 'Retry-After': '1' } : {}
}
