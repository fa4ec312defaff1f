import { Failure } from '../errors.js'
import { type ErrorFacts, readError } from './error-facts.js'

/** What went wrong between us and a model, for whoever must decide what to do next. */
export type ModelFailureKind =
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

/** Who failed, in the words a message needs. */
export interface ModelContext {
  /** "OpenAI". */
  provider: string
  modelId: string
  /** Where requests go, without anything secret in it. */
  address?: string
  /** What to do about a key that is not accepted. */
  keyHint?: string
  /** What to do when nobody answers at that address. */
  unreachableHint?: string
  /** What to do when there is no such model. */
  modelHint?: string
  /** How a setting gets a value, where the person is. */
  howToSet?: (setting: string, value: string) => string
  /** Takes secrets out of a text from outside. */
  redact?: (text: string) => string
}

export interface ModelFailureData extends Record<string, unknown> {
  kind: ModelFailureKind
  provider: string
  model: string
  status?: number
  /** Another try may help. */
  retryable: boolean
  /** How long the provider asks to wait. */
  retryAfterMs?: number
  /** The reply ended early, before a word of it. */
  ended?: 'length'
}

/** Makes one failure of a kind. All are `network` failures: exit code 5 in the terminal. */
export function modelFailure(
  kind: ModelFailureKind,
  context: ModelContext,
  message: string,
  details: { hint?: string; status?: number; retryAfterMs?: number; ended?: 'length' } = {},
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

/** The facts of a model's failure, undefined for any other error. */
export function modelFailureData(error: unknown): ModelFailureData | undefined {
  const data = error instanceof Failure ? error.details.data : undefined
  return typeof data?.kind === 'string' && typeof data.retryable === 'boolean' ? (data as ModelFailureData) : undefined
}

/** Turns whatever a provider package throws into a failure that says what to do. Nothing of the request stays in it. */
export function failureFrom(error: unknown, context: ModelContext): Failure {
  const facts = readError(error, context.redact)
  if (facts.failure) return facts.failure
  const { provider, modelId } = context
  const because = facts.said === undefined ? '.' : `: ${facts.said}`
  const status = facts.status === undefined ? '' : ` (${facts.status})`
  const kind = kindOf(facts)
  const make = (message: string, hint?: string) =>
    modelFailure(kind, context, message, { hint, status: facts.status, retryAfterMs: facts.retryAfterMs })
  switch (kind) {
    case 'key':
      return make(`${provider} did not accept the key${status}${because}`, context.keyHint)
    case 'credit':
      return make(
        `${provider} says there is no credit left${because}`,
        `Add credit at ${provider}, or choose another model.`,
      )
    case 'rate-limit':
      return make(`${provider} asks to slow down${because}`, waitHint(facts.retryAfterMs))
    case 'overloaded':
      return make(
        `${provider} is not working at the moment${status}${because}`,
        'Try again in a while, or choose another model.',
      )
    case 'unknown-model':
      return make(`${provider} has no model named ${modelId}${because}`, context.modelHint)
    case 'context':
      return make(
        `The conversation does not fit into ${modelId}${because}`,
        'Start a new conversation, ask about fewer notes, or choose a model with a larger context.',
      )
    case 'no-tools':
      return make(
        `${provider} takes no tools for ${modelId}${because}`,
        context.howToSet && `Let the model write its calls as text: ${context.howToSet('dialect', 'auto')}`,
      )
    case 'unreachable':
      return make(
        `Cannot reach ${provider}${context.address ? ` at ${context.address}` : ''}${because}`,
        context.unreachableHint,
      )
    case 'disconnected':
      return make(`${provider} broke off before the answer was complete${because}`, 'Ask again; what had come is kept.')
    case 'stalled':
      return make(`${provider} stopped sending${because}`, 'Ask again, or choose another model.')
    case 'not-an-api':
      return make(
        `What answers${context.address ? ` at ${context.address}` : ''} is not a model API${because}`,
        addressHint,
      )
    case 'malformed':
      return make(`${provider} sent something that cannot be read${because}`, 'Ask again, or choose another model.')
    default:
      return make(
        `${provider} refused the request${status}${because}`,
        'Choose another model, or change what is asked.',
      )
  }
}

export const addressHint = 'Check the base URL: it usually ends in /v1.'

/** The status decides; words tell apart what one status is used for, and decide where there is none, as inside a stream. */
function kindOf(facts: ErrorFacts): ModelFailureKind {
  const { status, said = '', code = '' } = facts
  const words = `${said} ${code}`.toLowerCase()
  if (status !== undefined && status < 400) return facts.isHtml ? 'not-an-api' : 'malformed'
  if (toolRefusals.test(words)) return 'no-tools'
  if (contextWords.test(words)) return 'context'
  if (status !== undefined) return kindOfStatus(status, words, facts.isHtml)
  if (facts.isHtml) return 'not-an-api'
  const told = kindOfWords(words)
  if (told !== undefined) return told
  if (overloadWords.test(words)) return 'overloaded'
  if (facts.systemCode !== undefined) return unreachableCodes.has(facts.systemCode) ? 'unreachable' : brokenKind(facts)
  if (facts.isNowhere) return 'unreachable'
  if (facts.isUnreadable) return 'malformed'
  if (facts.isCut) return 'disconnected'
  return 'rejected'
}

function kindOfStatus(status: number, words: string, isHtml = false): ModelFailureKind {
  if (status === 401) return 'key'
  if (status === 402) return 'credit'
  if (status === 403) return creditWords.test(words) ? 'credit' : 'key'
  if (status === 404) return isHtml ? 'not-an-api' : 'unknown-model'
  if (status === 413) return 'context'
  // OpenAI says so where the money is gone, too.
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

const brokenKind = ({ systemCode = '' }: ErrorFacts): ModelFailureKind =>
  /TIMEOUT|TIMEDOUT/.test(systemCode) ? 'stalled' : 'disconnected'

const contextWords =
  /context[_ ](length|window|size)|context_length_exceeded|prompt is too long|too many tokens|input is too long|exceeds? the (model'?s )?(maximum|available) (context|number of tokens)|input token count|maximum context|request too large|reduce the length/

const creditWords = /insufficient_quota|insufficient credits|credit balance|billing/

/**
 * A server that knows no tools, or none for this model: Ollama, llama.cpp (older and newer), OpenRouter, vLLM, Gemini,
 * Groq. The bodies they send are in refused-tools.test.ts, with where each was seen.
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
  if (retryAfterMs === undefined) return 'Wait a little and ask again, or choose another model.'
  const seconds = Math.ceil(retryAfterMs / 1000)
  const time = seconds < 120 ? `${seconds} seconds` : seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : 'hours'
  return `It wants you to wait ${time}. Ask again then, or choose another model.`
}
