import type { Failure } from '../errors.js'
import { askModel } from './ask-model.js'
import { type CallSettings, callOptions } from './call-options.js'
import { failureFrom, type ModelContext, modelFailureData } from './model-failure.js'
import type { Profile } from './profile.js'
import { profileFor } from './profile-for.js'
import type { LanguageModelV3, ModelMessage, SystemModelMessage } from './sdk.js'
import type { StepEvent } from './step-event.js'
import { stepReply } from './step-reply.js'
import { wait } from './wait.js'

/** A tool as a model hears of it. */
export interface OfferedTool {
  name: string
  description: string
  /** JSON Schema of the arguments, as it is sent. What comes back is checked by whoever runs the tool. */
  inputSchema: Record<string, unknown>
}

export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string }

export interface Step {
  system?: string
  messages: ModelMessage[]
  tools?: readonly OfferedTool[]
  toolChoice?: ToolChoice
  signal: AbortSignal
  /** Unless told, what is known about the model by its name. */
  profile?: Profile
  settings?: StepSettings
}

export interface StepSettings extends CallSettings {
  /** Off: the reply is asked for in one piece and gives the same events. */
  stream?: boolean
  /** First of the turn, where some families answer too early and are cut short. */
  isFirstStep?: boolean
  retry?: Partial<RetrySettings>
}

export interface RetrySettings {
  attempts: number
  firstWaitMs: number
  /** Longer than this nobody waits: when a provider asks for more, the step fails and says so. */
  longestWaitMs: number
}

const usualRetry: RetrySettings = { attempts: 4, firstWaitMs: 500, longestWaitMs: 30_000 }

/**
 * Asks a model for one reply. Ends with `finish` or `failed`, never both; throws only the signal's reason.
 * A request is repeated only while nothing at all has come, so no word and no call is ever received twice.
 */
export async function* streamStep(model: LanguageModelV3, step: Step): AsyncGenerator<StepEvent, void, void> {
  const retry = { ...usualRetry, ...step.settings?.retry }
  for (let attempt = 1; ; attempt++) {
    const outcome = yield* tryOnce(model, step)
    if (outcome === undefined) return
    const waitMs = attempt < retry.attempts ? waitBefore(attempt, outcome, retry) : undefined
    if (waitMs === undefined) return yield { type: 'failed', failure: outcome }
    yield { type: 'retry', attempt, waitMs, failure: outcome }
    await wait(waitMs, step.signal)
  }
}

/** Answers a failure only if nothing had come yet; everything else it says itself. */
async function* tryOnce(model: LanguageModelV3, step: Step): AsyncGenerator<StepEvent, Failure | undefined, void> {
  const { signal } = step
  signal.throwIfAborted()
  const stop = new AbortController()
  const passOn = () => stop.abort(signal.reason)
  signal.addEventListener('abort', passOn, { once: true })
  const context = contextOf(model)
  const reply = stepReply(context, step.settings?.isFirstStep ? profileOf(model, step).premature : undefined)
  try {
    for await (const part of request(model, step, stop.signal)) {
      if (part.type === 'abort' || part.type === 'error') signal.throwIfAborted()
      const events = reply.read(part)
      yield* events
      if (reply.isOver()) break
    }
    signal.throwIfAborted()
  } catch (error) {
    signal.throwIfAborted()
    reply.fail(failureFrom(error, context))
  } finally {
    signal.removeEventListener('abort', passOn)
    // Closes the connection when the reply is cut short, or nobody listens any more.
    stop.abort()
  }
  const failure = reply.failure()
  if (failure !== undefined && !reply.hasStarted()) return failure
  yield* reply.ending()
  return undefined
}

function request(model: LanguageModelV3, step: Step, signal: AbortSignal) {
  const { tools = [], toolChoice = 'auto', settings = {}, messages } = step
  const profile = profileOf(model, step)
  const isForced = typeof toolChoice === 'object' || toolChoice === 'required'
  const options = {
    ...callOptions(profile, settings, tools.length === 0 ? 'none' : isForced ? 'forced' : 'free'),
    abortSignal: signal,
  }
  const system = step.system ? systemMessage(step.system, profile) : undefined
  return askModel(model, { system, messages, tools, toolChoice, stream: settings.stream, options })
}

const profileOf = (model: LanguageModelV3, step: Step): Profile => step.profile ?? profileFor(model.modelId)

function systemMessage(content: string, { cacheMarks }: Profile): SystemModelMessage {
  if (!cacheMarks) return { role: 'system', content }
  const cacheControl = { type: 'ephemeral' }
  return { role: 'system', content, providerOptions: { anthropic: { cacheControl }, openrouter: { cacheControl } } }
}

/** Models opened by name bring their own words; this is for any other. */
function contextOf({ provider, modelId }: LanguageModelV3): ModelContext {
  return { provider: provider.split('.')[0] || 'The provider', modelId }
}

function waitBefore(attempt: number, failure: Failure, retry: RetrySettings): number | undefined {
  const data = modelFailureData(failure)
  if (!data?.retryable) return undefined
  const asked = data.retryAfterMs
  if (asked !== undefined) return asked <= retry.longestWaitMs ? asked : undefined
  const backOff = retry.firstWaitMs * 2 ** (attempt - 1)
  // Many clients told to come back together should not.
  return Math.min(retry.longestWaitMs, backOff * (0.75 + Math.random() / 2))
}
