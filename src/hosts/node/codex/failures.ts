import type { Failure } from '../../../core/errors.js'
import { failureHints, type ModelContext, modelFailure, modelFailureFrom } from '../../../core/model/index.js'
import type { RpcError, TurnError } from './protocol.js'

/** Names and hints for failure messages about Codex. */
export function codexContext(modelId: string): ModelContext {
  return {
    provider: 'Codex',
    modelId,
    keyHint: 'Sign in with: codex login',
    unreachableHint: 'Check your internet connection. To check the sign-in: codex login status',
    modelHint: 'To list its models, type /model in Codex. With -m codex, its default model is used.',
  }
}

type Kind = Parameters<typeof modelFailure>[0]

/** A failure with Codex's message and the hint for that kind of failure. */
const kinds: Record<string, Kind> = {
  contextWindowExceeded: 'context',
  sessionBudgetExceeded: 'credit',
  usageLimitExceeded: 'credit',
  rateLimitExceeded: 'rate-limit',
  serverOverloaded: 'overloaded',
  flexUnavailable: 'overloaded',
  policyCapacityUnavailable: 'overloaded',
  internalServerError: 'overloaded',
  modelNotFound: 'unknown-model',
  unauthorized: 'key',
  cyberPolicy: 'filtered',
  misalignmentPolicyViolation: 'filtered',
  responseStreamDisconnected: 'disconnected',
}

const hints: Partial<Record<Kind, string>> = {
  context: failureHints.tooLong,
  credit: 'Wait until your Codex limit resets, or choose another model.',
  'rate-limit': failureHints.later,
  overloaded: failureHints.later,
  filtered: 'Rephrase your request, or choose another model.',
  disconnected: failureHints.kept,
}

/** Turns a failed turn into a model failure. An HTTP status from Codex's server takes precedence. */
export function turnFailure(error: TurnError | null, modelId: string): Failure {
  const context = codexContext(modelId)
  const message = error?.message ?? 'No reason given.'
  const info = error?.codexErrorInfo
  const [word, details] = typeof info === 'string' ? [info] : (Object.entries(info ?? {})[0] ?? [])
  const status = details?.httpStatusCode
  if (status) return modelFailureFrom({ statusCode: status, message }, context)
  const kind = word === undefined ? undefined : kinds[word]
  if (kind === undefined) return modelFailureFrom({ message }, context)
  const hint = kind === 'key' ? context.keyHint : kind === 'unknown-model' ? context.modelHint : hints[kind]
  return modelFailure(kind, context, `Codex could not answer: ${message}`, { hint })
}

/** Codex reports this when a reply was cut: `Incomplete response returned, reason: max_output_tokens`. */
export function truncationReason(error: TurnError | null): 'length' | 'content-filter' | undefined {
  const [, why] = /incomplete response returned, reason: (\w+)/i.exec(error?.message ?? '') ?? []
  if (why === undefined) return undefined
  return why === 'content_filter' ? 'content-filter' : 'length'
}

export function refusedRequest(method: string, { message }: RpcError): Failure {
  return modelFailure('rejected', codexContext(''), `Codex rejected ${method}: ${message}`, {
    hint: 'Check the configuration of Codex (codex doctor, ~/.codex/config.toml), or choose another model.',
  })
}
