import type { Failure } from '../../../core/errors.js'
import { failureFrom, modelFailure } from '../../../core/model/index.js'
import { codexContext } from './codex-context.js'
import type { RpcError, TurnError } from './protocol.js'

type Kind = Parameters<typeof modelFailure>[0]

/** Codex's words for what went wrong, with the hint that our own failures of that kind have. */
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
  context: 'Start a new conversation, ask about fewer notes, or choose a model with a larger context.',
  credit: 'Wait until Codex may be used again, or choose another model.',
  'rate-limit': 'Try again in a while, or choose another model.',
  overloaded: 'Try again in a while, or choose another model.',
  filtered: 'Change what is asked, or choose another model.',
  disconnected: 'Ask again; what had come is kept.',
}

/** A turn that failed, as the failure of a model. A status of the server behind Codex decides where it tells one. */
export function turnFailure(error: TurnError | null, modelId: string): Failure {
  const context = codexContext(modelId)
  const message = error?.message ?? 'It did not say why.'
  const info = error?.codexErrorInfo
  const [word, details] = typeof info === 'string' ? [info] : (Object.entries(info ?? {})[0] ?? [])
  const status = details?.httpStatusCode
  if (status) return failureFrom({ statusCode: status, message }, context)
  const kind = word === undefined ? undefined : kinds[word]
  if (kind === undefined) return failureFrom({ message }, context)
  const hint = kind === 'key' ? context.keyHint : kind === 'unknown-model' ? context.modelHint : hints[kind]
  return modelFailure(kind, context, `Codex could not answer: ${message}`, { hint })
}

/** Codex says so when a reply was cut: `Incomplete response returned, reason: max_output_tokens`. */
export function cutReason(error: TurnError | null): 'length' | 'content-filter' | undefined {
  const [, why] = /incomplete response returned, reason: (\w+)/i.exec(error?.message ?? '') ?? []
  if (why === undefined) return undefined
  return why === 'content_filter' ? 'content-filter' : 'length'
}

export function refusedRequest(method: string, { message }: RpcError): Failure {
  return modelFailure('rejected', codexContext(''), `Codex did not accept ${method}: ${message}`, {
    hint: 'Look at its own configuration (codex doctor, ~/.codex/config.toml), or choose another model.',
  })
}
