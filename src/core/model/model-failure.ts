// Failures between us and a model: their kinds, and how errors and incomplete endings become failures.

import { Failure } from '../errors.js'

/** Hints for failures that are reported in several places. */
export const failureHints = {
  later: 'Try again later, or choose another model.',
  again: 'Ask again, or choose another model.',
  kept: 'The partial answer is kept. Ask again.',
  tooLong: 'Start a new chat, ask about fewer notes, or choose a model with a larger context window.',
}

/** Kinds of model failures, for callers that decide what to do next. */
type ModelFailureKind =
  | 'no-key'
  | 'key'
  | 'credit'
  | 'rate-limit'
  | 'overloaded'
  | 'unknown-model'
  | 'context'
  | 'no-tools'
  | 'rejected'
  | 'unreachable'
  | 'disconnected'
  | 'stalled'
  | 'not-an-api'
  | 'malformed'
  | 'filtered'
  | 'empty'
  | 'tool-choice'
  | 'text-call'

/** The failing model, and the hints its messages need. */
export interface ModelContext {
  /** "OpenAI". */
  provider: string
  modelId: string
  /** Address of the requests, without secrets. */
  address?: string
  /** Hint for a key that is not accepted. */
  keyHint?: string | undefined
  /** Hint for an address where nothing answers. */
  unreachableHint?: string
  /** Hint for a model that does not exist. */
  modelHint?: string
  /** Explains how to change a setting in the current front end. */
  howToSet?: (setting: string, value: string) => string
  /** Removes secrets from text that comes from outside. */
  redact?: (text: string) => string
}

interface ModelFailureData extends Record<string, unknown> {
  kind: ModelFailureKind
  provider: string
  model: string
  status?: number | undefined
  /** A retry may help. */
  retryable: boolean
  /** The wait the provider asks for. */
  retryAfterMs?: number | undefined
  /** The reply ended before its first word. */
  ended?: 'length'
}

interface FailureDetails {
  hint?: string | undefined
  status?: number | undefined
  retryAfterMs?: number | undefined
  ended?: 'length'
}

/** Creates a failure of one kind. All are `network` failures: exit code 5 in the terminal. */
export function modelFailure(
  kind: ModelFailureKind,
  context: ModelContext,
  message: string,
  details: FailureDetails = {},
): Failure {
  const { hint, ...rest } = details
  const data: ModelFailureData = {
    kind,
    provider: context.provider,
    model: context.modelId,
    retryable: kind === 'rate-limit' || kind === 'overloaded' || kind === 'disconnected',
    ...rest,
  }
  return new Failure('network', message, { ...(hint && { hint }), data })
}

/** The data of a model failure; undefined for any other error. */
export function modelFailureData(error: unknown): ModelFailureData | undefined {
  const data = error instanceof Failure ? error.details.data : undefined
  return typeof data?.kind === 'string' && typeof data.retryable === 'boolean' ? (data as ModelFailureData) : undefined
}

/** Converts any error of a provider package into a failure with advice. Keeps no part of the request. */
export function modelFailureFrom(error: unknown, context: ModelContext): Failure {
  const facts = readError(error, context.redact)
  if (facts.failure) return facts.failure
  const { provider, modelId } = context
  const because = facts.providerMessage === undefined ? '.' : `: ${facts.providerMessage}`
  const status = facts.status === undefined ? '' : ` (${facts.status})`
  const kind = kindOf(facts)
  const make = (message: string, hint?: string) =>
    modelFailure(kind, context, message, { hint, status: facts.status, retryAfterMs: facts.retryAfterMs })
  switch (kind) {
    case 'key':
      return make(`${provider} rejected the API key${status}${because}`, context.keyHint)
    case 'credit':
      return make(
        `Your ${provider} account has no credit left${because}`,
        `Add credit at ${provider}, or choose another model.`,
      )
    case 'rate-limit':
      return make(`Rate limited by ${provider}${because}`, waitHint(facts.retryAfterMs))
    case 'overloaded':
      return make(`${provider} is temporarily unavailable${status}${because}`, failureHints.later)
    case 'unknown-model':
      return make(`${provider} has no model named ${modelId}${because}`, context.modelHint)
    case 'context':
      return make(`This chat is too long for ${modelId}${because}`, failureHints.tooLong)
    case 'no-tools':
      return make(
        `${provider} doesn't support tool calls for ${modelId}${because}`,
        context.howToSet && `Let the model write tool calls as text: ${context.howToSet('dialect', 'auto')}`,
      )
    case 'unreachable':
      return make(
        `Can't reach ${provider}${context.address ? ` at ${context.address}` : ''}${because}`,
        context.unreachableHint,
      )
    case 'disconnected':
      return make(`The connection to ${provider} was lost${because}`, failureHints.kept)
    case 'stalled':
      return make(`${provider} stopped sending${because}`, failureHints.again)
    case 'not-an-api':
      return make(
        `The server${context.address ? ` at ${context.address}` : ''} is not a model API${because}`,
        addressHint,
      )
    case 'malformed':
      return make(`${provider} sent an invalid response${because}`, failureHints.again)
    default:
      return make(
        `${provider} rejected the request${status}${because}`,
        'Choose another model, or change your question.',
      )
  }
}

export const addressHint = 'Check the base URL. It usually ends in /v1.'

/**
 * The status decides. The wording separates the uses of one status, and decides where there is no status, as inside a
 * stream.
 */
function kindOf(facts: ErrorFacts): ModelFailureKind {
  const { status, providerMessage = '', code = '' } = facts
  const words = `${providerMessage} ${code}`.toLowerCase()
  if (status !== undefined && status < 400) return facts.isHtml ? 'not-an-api' : 'malformed'
  if (toolRefusals.test(words)) return 'no-tools'
  if (contextWords.test(words)) return 'context'
  if (status !== undefined) return kindOfStatus(status, words, facts.isHtml)
  if (facts.isHtml) return 'not-an-api'
  const kind = kindOfWords(words)
  if (kind !== undefined) return kind
  if (overloadWords.test(words)) return 'overloaded'
  if (facts.systemCode !== undefined)
    return unreachableCodes.has(facts.systemCode) ? 'unreachable' : connectionKind(facts)
  if (facts.isNetworkError) return 'unreachable'
  if (facts.isUnreadable) return 'malformed'
  if (facts.isTruncated) return 'disconnected'
  return 'rejected'
}

function kindOfStatus(status: number, words: string, isHtml = false): ModelFailureKind {
  if (status === 401) return 'key'
  if (status === 402) return 'credit'
  if (status === 403) return creditWords.test(words) ? 'credit' : 'key'
  if (status === 404) return isHtml ? 'not-an-api' : 'unknown-model'
  if (status === 413) return 'context'
  // OpenAI also answers 429 when the credit is used up.
  if (status === 429) return creditWords.test(words) ? 'credit' : 'rate-limit'
  if (status >= 500 || status === 408) return 'overloaded'
  if (isHtml) return 'not-an-api'
  return kindOfWords(words) ?? 'rejected'
}

function kindOfWords(words: string): ModelFailureKind | undefined {
  if (/invalid_api_key|authentication_error|unauthenticated|api key not valid/.test(words)) return 'key'
  if (creditWords.test(words)) return 'credit'
  if (/model_not_found|model .{0,80}(not found|does not exist)/.test(words)) return 'unknown-model'
  if (/rate_limit|resource_exhausted|too many requests/.test(words)) return 'rate-limit'
  return undefined
}

const connectionKind = ({ systemCode = '' }: ErrorFacts): ModelFailureKind =>
  /TIMEOUT|TIMEDOUT/.test(systemCode) ? 'stalled' : 'disconnected'

const contextWords =
  /context[_ ](length|window|size)|context_length_exceeded|prompt is too long|too many tokens|input is too long|exceeds? the (model'?s )?(maximum|available) (context|number of tokens)|input token count|maximum context|request too large|reduce the length/

const creditWords = /insufficient_quota|insufficient credits|credit balance|billing/

/**
 * Replies of servers that know no tools, or none for this model: Ollama, llama.cpp (older and newer), OpenRouter,
 * vLLM, Gemini, Groq. The bodies they send are in refused-tools.test.ts, with where each was seen.
 */
const toolRefusals =
  /does not support (tools|function calling|tool calling|tool use)|tools param(eter)? requires|unsupported param: tools|endpoints found that support tool use|tool choice requires --enable|requires --tool-call-parser|(function|tool) calling`? is not (enabled|supported)/

const overloadWords = /overloaded|server_error|api_error|internal_error|unavailable|service is busy|engine is currently/

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

function waitHint(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return 'Wait a moment and ask again, or choose another model.'
  const seconds = Math.ceil(retryAfterMs / 1000)
  const time = seconds < 120 ? `${seconds} seconds` : seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : 'hours'
  return `Try again in ${time}, or choose another model.`
}

/**
 * Facts found in an error of a provider package. Classes are not checked: the packages bring several copies of each.
 */
interface ErrorFacts {
  /** A failure of our own, thrown further down. */
  failure?: Failure
  status?: number
  /** The provider's message as one line of limited length. */
  providerMessage?: string
  /** The provider's error code: `overloaded_error`. */
  code?: string
  /** The system's error code: `ECONNREFUSED`. */
  systemCode?: string
  retryAfterMs?: number | undefined
  isHtml?: boolean
  /** A reply arrived that does not follow the protocol. */
  isUnreadable?: boolean
  /** The connection ended before the reply was complete. */
  isTruncated?: boolean
  /** The host's fetch failed without saying why. */
  isNetworkError?: boolean
}

/** `redact` gets every text in full, before it is cut to one line. */
function readError(error: unknown, redact: (text: string) => string = (text) => text): ErrorFacts {
  const facts: ErrorFacts = {}
  let current: unknown = error
  // Errors wrap errors; the outermost one that knows a fact wins.
  for (let depth = 0; depth < 6 && current !== undefined && current !== null; depth++) {
    if (current instanceof Failure) return { failure: current }
    if (typeof current === 'string') {
      collectFromText(facts, redact(current))
      break
    }
    if (typeof current !== 'object') break
    collectFromObject(facts, current as Record<string, unknown>, redact)
    const { cause, lastError, errors } = current as { cause?: unknown; lastError?: unknown; errors?: unknown }
    current = cause ?? lastError ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return facts
}

function collectFromObject(facts: ErrorFacts, error: Record<string, unknown>, redact: (text: string) => string): void {
  const { name, message, code, statusCode, responseBody, responseHeaders, type } = error
  if (typeof statusCode === 'number') facts.status ??= statusCode
  if (typeof responseBody === 'string') collectFromText(facts, redact(responseBody))
  if (typeof responseHeaders === 'object' && responseHeaders !== null) {
    facts.retryAfterMs ??= retryAfter(responseHeaders as Record<string, string>)
  }
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) && error instanceof Error) facts.systemCode ??= code
  else if (typeof code === 'string') facts.code ??= code
  // In a stream that began with 200, an error event can still carry the status it would have had.
  else if (typeof code === 'number' && code >= 400 && code < 600) facts.status ??= code
  if (typeof type === 'string') facts.code ??= type
  if (/JSONParse|TypeValidation|InvalidResponseData|SyntaxError/.test(String(name))) facts.isUnreadable = true
  if (typeof message !== 'string') return
  const isCutOff = /terminated|premature close|socket hang up|other side closed/i.test(message)
  if (name === 'TruncatedReply' || isCutOff) {
    facts.isTruncated = true
    facts.isUnreadable = false
  }
  if (/^(fetch failed|failed to fetch|load failed|network ?error\b.*)$/i.test(message)) {
    facts.isNetworkError = true
    return
  }
  // The message quotes the unreadable reply, which can be long and say anything.
  if (!facts.isUnreadable && !facts.isTruncated) collectFromText(facts, redact(message))
}

function collectFromText(facts: ErrorFacts, text: string): void {
  const trimmed = text.trim()
  if (/^<(!doctype|html|\?xml|head|body)/i.test(trimmed)) {
    facts.isHtml = true
    return
  }
  const parsed = parseJson(trimmed)
  if (typeof parsed !== 'object' || parsed === null) {
    if (trimmed !== '') facts.providerMessage ??= oneLine(trimmed)
    return
  }
  const body = (Array.isArray(parsed) ? parsed[0] : parsed) as Record<string, unknown>
  const inner = body?.error ?? body
  if (typeof inner === 'string') facts.providerMessage ??= oneLine(inner)
  if (typeof inner !== 'object' || inner === null) return
  const { message, detail, code, type, status } = inner as Record<string, unknown>
  const words = [message, detail].find((value) => typeof value === 'string' && value.trim() !== '')
  if (typeof words === 'string') facts.providerMessage ??= oneLine(words)
  const names = [code, type, status].filter((value) => typeof value === 'string')
  if (names.length > 0) facts.code ??= names.join(' ')
  if (typeof code === 'number' && code >= 400 && code < 600) facts.status ??= code
}

function parseJson(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the text itself is the message.
    return undefined
  }
}

function retryAfter(headers: Record<string, string>): number | undefined {
  const value = (name: string) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const milliseconds = Number(value('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds
  const text = value('retry-after')
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** Long enough for a provider's sentence, too short for a page. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}

interface Ending {
  finishReason?: string
  rawFinishReason?: string | undefined
}

/** The failure of a stream that ended without an error and still is no reply: truncated, or without text and calls. */
export function endingFailure(
  context: ModelContext,
  { finishReason = 'other', rawFinishReason }: Ending,
  { hasText, hasCalls }: { hasText: boolean; hasCalls: boolean },
): Failure | undefined {
  const { provider, modelId } = context
  const isEmpty = !hasText && !hasCalls
  // Every protocol gives a finish reason. A stream without one was cut off.
  const isCut = finishReason === 'other' && rawFinishReason === undefined
  if (isCut && !isEmpty) {
    return modelFailure('disconnected', context, `The connection to ${provider} was lost.`, {
      hint: failureHints.kept,
    })
  }
  if (finishReason === 'error') {
    return modelFailure('malformed', context, `${provider} reported an error without details.`, {
      hint: failureHints.again,
    })
  }
  if (!isEmpty) return undefined
  if (finishReason === 'length') {
    return modelFailure('empty', context, `${modelId} reached its output limit before it wrote an answer.`, {
      hint: 'Allow longer output, reduce thinking, or choose another model.',
      ended: 'length',
    })
  }
  if (finishReason === 'content-filter') {
    return modelFailure('filtered', context, `${provider} blocked the answer.`, {
      hint: 'Rephrase your question, or choose another model.',
    })
  }
  return modelFailure('empty', context, `${modelId} returned an empty answer.`, {
    hint: 'Ask again, or choose another model. If it happens again, check the base URL.',
  })
}
