import type { Failure } from '../errors.js'
import { type ModelContext, modelFailure } from './model-failure.js'

interface Ending {
  finishReason?: string
  rawFinishReason?: string
}

/** A stream can end without an error and still be no reply: cut off, or with neither a word nor a call in it. */
export function endingFailure(
  context: ModelContext,
  { finishReason = 'other', rawFinishReason }: Ending,
  { hasText, hasCalls }: { hasText: boolean; hasCalls: boolean },
): Failure | undefined {
  const { provider, modelId } = context
  const isEmpty = !hasText && !hasCalls
  // Every protocol says why it stops. One that says nothing was cut off.
  const isCut = finishReason === 'other' && rawFinishReason === undefined
  if (isCut && !isEmpty) {
    return modelFailure('disconnected', context, `${provider} broke off before the answer was complete.`, {
      hint: 'Ask again; what had come is kept.',
    })
  }
  if (finishReason === 'error') {
    return modelFailure('malformed', context, `${provider} ended with an error it did not explain.`, {
      hint: 'Ask again, or choose another model.',
    })
  }
  if (!isEmpty) return undefined
  if (finishReason === 'length') {
    return modelFailure('empty', context, `${modelId} used up its output limit before it said anything.`, {
      hint: 'Allow a longer output, let it think less, or choose another model.',
      ended: 'length',
    })
  }
  if (finishReason === 'content-filter') {
    return modelFailure('filtered', context, `${provider} held the answer back.`, {
      hint: 'Ask in other words, or choose another model.',
    })
  }
  return modelFailure('empty', context, `${modelId} sent an empty answer: no text and no call.`, {
    hint: 'Ask again, or choose another model. If it keeps happening, check that the base URL is a model API.',
  })
}
