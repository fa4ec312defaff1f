import type { Failure } from '../errors.js'
import { linkedAbort } from './linked-abort.js'
import { meantCall, textCallFailure } from './meant-call.js'
import { failureFrom, type ModelContext, modelFailureData } from './model-failure.js'
import { type ModelRequest, type RetrySettings, sdkRequest } from './model-request.js'
import type { Profile } from './profile.js'
import { profileFor } from './profile-for.js'
import { ending, finish, newReply, type Reply, readPart, wordsOf } from './reply.js'
import type { ReplyEvent } from './reply-event.js'
import { replyInOnePiece } from './reply-in-one-piece.js'
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from './sdk.js'
import { brokenChoice, choiceFailure, choiceRule } from './tool-choice.js'
import { wait } from './wait.js'

/** One for all: an abort without a reason makes an error with its stack for every reply. */
const over = new Error('The reply is over.')

const usualRetry: RetrySettings = { attempts: 4, firstWaitMs: 500, longestWaitMs: 30_000 }

/**
 * Asks a model for one reply and tells it as it comes. Throws only the signal's reason; leaving it closes the connection.
 * A request is repeated only while nothing at all has come, so no word and no call is ever received twice. A reply that
 * does not keep to the choice of tools, or only says or shows that a call is meant, is asked for once more, with a word
 * about what was wrong. A wrong choice or a call as text is then a failure.
 */
export async function* askModel(model: LanguageModelV3, request: ModelRequest): AsyncGenerator<ReplyEvent, void, void> {
  const context = contextOf(model)
  const profile = request.profile ?? profileFor(model.modelId)
  const rule = choiceRule(request)
  const retry = { ...usualRetry, ...request.settings?.retry }
  let { messages } = request
  let mended: Reply | undefined
  for (let attempt = 1; ; attempt++) {
    const reply = newReply(context, rule, request.messages, mended)
    yield* listen(model, { ...request, messages }, profile, reply)
    const { failure, hasStarted } = reply
    const waitMs = failure && !hasStarted && attempt < retry.attempts ? waitBefore(attempt, failure, retry) : undefined
    if (failure !== undefined && waitMs !== undefined) {
      yield { type: 'retry', attempt, waitMs, failure }
      await wait(waitMs, request.signal)
      continue
    }
    const broken = failure ? undefined : brokenChoice(rule, reply.calls.length, reply.refused)
    const meant = failure || broken ? undefined : meantCall(request, reply)
    const why = broken ?? meant?.why
    if (why === undefined || mended !== undefined || (meant && !meant.isAsked)) {
      const failed = broken ? choiceFailure(context, broken) : meant?.isText ? textCallFailure(context) : failure
      for (const event of ending(reply, failed)) yield event
      return
    }
    yield { type: 'repair', why }
    mended = reply
    const said = wordsOf(reply)
    messages = [
      ...messages,
      ...(said.length > 0 ? [{ role: 'assistant' as const, content: said }] : []),
      { role: 'user', content: why },
    ]
  }
}

/** Sends one request and reads the reply until it is over. Speaks to the model directly: the SDK's checks and pipes on the way took several milliseconds of every step. */
async function* listen(
  model: LanguageModelV3,
  request: ModelRequest,
  profile: Profile,
  reply: Reply,
): AsyncGenerator<ReplyEvent, void, void> {
  const { signal, settings, isEnough } = request
  signal.throwIfAborted()
  const stop = linkedAbort(signal)
  try {
    const reader = (await opened(model, sdkRequest(request, profile, stop.signal), settings?.stream)).getReader()
    // Also ends a read that waits, of a model that does not listen to its signal.
    stop.signal.addEventListener('abort', () => void reader.cancel(stop.signal.reason).catch(() => {}), { once: true })
    while (reply.failure === undefined && reply.reason === undefined) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) finish(reply)
      else for (const event of readPart(reply, value)) yield event
      if (isEnough && value?.type === 'text-delta' && isEnough(reply.pieces)) finish(reply, 'stop', 'stop')
    }
  } catch (error) {
    signal.throwIfAborted()
    reply.failure ??= failureFrom(error, reply.context)
  } finally {
    // Closes the connection when the reply is cut short, or nobody listens any more.
    stop.abort(over)
  }
}

/** The reply's stream. A model that does not listen to its signal is left alone with it. */
function opened(
  model: LanguageModelV3,
  call: LanguageModelV3CallOptions,
  stream = true,
): Promise<ReadableStream<LanguageModelV3StreamPart>> {
  return new Promise((resolve, reject) => {
    const { abortSignal: signal } = call
    const opening = stream
      ? model.doStream(call).then((result) => result.stream)
      : model.doGenerate(call).then(replyInOnePiece)
    // The request is on its way: everything else can wait until here.
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    opening.then((parts) => {
      if (signal?.aborted) parts.cancel(signal.reason).catch(() => {})
      resolve(parts)
    }, reject)
  })
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
