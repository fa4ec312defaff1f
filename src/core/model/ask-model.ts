import type { Failure } from '../errors.js'
import { linkedAbort, wait } from './abort.js'
import { type ModelContext, modelFailureData, modelFailureFrom } from './model-failure.js'
import {
  choiceFailure,
  choiceRule,
  choiceViolation,
  type ModelRequest,
  type RetrySettings,
  sdkRequest,
} from './model-request.js'
import { profileFor } from './profile-for.js'
import { endingEvents, finishReply, newReply, type ReplyState, readPart, textPieces } from './reply.js'
import { intendedCall, textCallFailure } from './reply-checks.js'
import type { ReplyEvent } from './reply-event.js'
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from './sdk.js'

/** One shared reason: aborting without one creates an error with a stack for every reply. */
const replyEnded = new Error('The reply is over.')

const defaultRetry: RetrySettings = { attempts: 4, firstWaitMs: 500, longestWaitMs: 30_000 }

/**
 * Asks a model for one reply and yields its events as they arrive. Throws only the signal's reason; leaving the
 * generator closes the connection. A request is retried only while nothing has arrived, so no text and no call is
 * received twice. The model is called directly: the SDK's checks and pipes took several milliseconds of every step. A
 * reply that breaks the choice of tools, or only promises or writes out a call, is requested once
 * more with a sentence about what was wrong. If that happens again, a broken choice or a call written as text is a
 * failure.
 */
export async function* askModel(model: LanguageModelV3, request: ModelRequest): AsyncGenerator<ReplyEvent, void, void> {
  const context = failureContext(model)
  const profile = request.profile ?? profileFor(model.modelId)
  const rule = choiceRule(request)
  const { signal, settings, isEnough } = request
  const retry = { ...defaultRetry, ...settings?.retry }
  let { messages } = request
  let earlier: ReplyState | undefined
  for (let attempt = 1; ; attempt++) {
    const reply = newReply(context, rule, request.messages, earlier)
    signal.throwIfAborted()
    const stop = linkedAbort(signal)
    try {
      const call = sdkRequest({ ...request, messages }, profile, stop.signal)
      const reader = (await openStream(model, call, settings?.stream)).getReader()
      // Also ends a pending read of a model that ignores its signal. A stream that already failed is closed anyway.
      stop.signal.addEventListener('abort', () => void reader.cancel(stop.signal.reason).catch(() => {}), {
        once: true,
      })
      while (reply.failure === undefined && reply.reason === undefined) {
        const { done, value } = await reader.read()
        signal.throwIfAborted()
        if (done) finishReply(reply)
        else for (const event of readPart(reply, value)) yield event
        if (isEnough && value?.type === 'text-delta' && isEnough(reply.pieces)) finishReply(reply, 'stop', 'stop')
      }
    } catch (error) {
      signal.throwIfAborted()
      reply.failure ??= modelFailureFrom(error, reply.context)
    } finally {
      // Closes the connection when the reply is cut short or the caller has left.
      stop.abort(replyEnded)
    }
    const { failure, hasStarted } = reply
    const waitMs = failure && !hasStarted && attempt < retry.attempts ? waitBefore(attempt, failure, retry) : undefined
    if (failure !== undefined && waitMs !== undefined) {
      yield { type: 'retry', attempt, attempts: retry.attempts - 1, waitMs, failure }
      await wait(waitMs, signal)
      continue
    }
    const broken = failure ? undefined : choiceViolation(rule, reply.calls.length, reply.refused)
    const intended = failure || broken ? undefined : intendedCall(request, reply)
    const why = broken ?? intended?.why
    if (why === undefined || earlier !== undefined || (intended && !intended.mayRetry)) {
      const failed = broken ? choiceFailure(context, broken) : intended?.isText ? textCallFailure(context) : failure
      for (const event of endingEvents(reply, failed)) yield event
      return
    }
    yield { type: 'repair', why }
    earlier = reply
    const text = textPieces(reply)
    messages = [
      ...messages,
      ...(text.length > 0 ? [{ role: 'assistant' as const, content: text }] : []),
      { role: 'user', content: why },
    ]
  }
}

/** Opens the reply's stream. Rejects on abort even if the model ignores its signal. */
function openStream(
  model: LanguageModelV3,
  call: LanguageModelV3CallOptions,
  stream = true,
): Promise<ReadableStream<LanguageModelV3StreamPart>> {
  return new Promise((resolve, reject) => {
    const { abortSignal: signal } = call
    const opening = stream
      ? model.doStream(call).then((result) => result.stream)
      : model.doGenerate(call).then(streamOfResult)
    // The request is on its way: everything else could wait until here.
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    opening.then((parts) => {
      // After an abort the stream has no reader, so errors of cancelling it are ignored.
      if (signal?.aborted) parts.cancel(signal.reason).catch(() => {})
      resolve(parts)
    }, reject)
  })
}

/** For models that were not opened by name; those bring a context with better hints. */
function failureContext({ provider, modelId }: LanguageModelV3): ModelContext {
  return { provider: provider.split('.')[0] || 'The provider', modelId }
}

function waitBefore(attempt: number, failure: Failure, retry: RetrySettings): number | undefined {
  const data = modelFailureData(failure)
  if (!data?.retryable) return undefined
  const asked = data.retryAfterMs
  if (asked !== undefined) return asked <= retry.longestWaitMs ? asked : undefined
  const backOff = retry.firstWaitMs * 2 ** (attempt - 1)
  // Jitter: clients with the same retry time should not all return at once.
  return Math.min(retry.longestWaitMs, backOff * (0.75 + Math.random() / 2))
}

/** Turns a complete result into the stream it would have been. */
function streamOfResult({
  content,
  finishReason,
  usage,
  providerMetadata,
}: LanguageModelV3GenerateResult): ReadableStream<LanguageModelV3StreamPart> {
  const parts = content.flatMap((piece, at) => contentParts(piece, `${at}`))
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.enqueue({ type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) })
      controller.close()
    },
  })
}

function contentParts(piece: LanguageModelV3Content, id: string): LanguageModelV3StreamPart[] {
  if (piece.type !== 'text' && piece.type !== 'reasoning') return [piece]
  const { type, text, providerMetadata } = piece
  return [
    { type: `${type}-start`, id, ...(providerMetadata && { providerMetadata }) },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id },
  ]
}
