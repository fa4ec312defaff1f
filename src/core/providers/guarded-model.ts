import {
  failureFrom,
  type LanguageModelV3,
  type LanguageModelV3StreamPart,
  type ModelContext,
  wrapModel,
} from '../model/index.js'

/** A model whose every error is a failure that says what to do, with nothing of the request and no key in it. */
export function guardedModel(model: LanguageModelV3, context: ModelContext): LanguageModelV3 {
  return wrapModel(model, {
    specificationVersion: 'v3',
    wrapGenerate: async ({ doGenerate, params }) => {
      try {
        return await doGenerate()
      } catch (error) {
        params.abortSignal?.throwIfAborted()
        throw failureFrom(error, context)
      }
    },
    wrapStream: async ({ doStream, params }) => {
      try {
        const result = await doStream()
        return { ...result, stream: guardedStream(result.stream, context, params.abortSignal) }
      } catch (error) {
        params.abortSignal?.throwIfAborted()
        throw failureFrom(error, context)
      }
    },
  })
}

type Parts = ReadableStream<LanguageModelV3StreamPart>

function guardedStream(stream: Parts, context: ModelContext, signal: AbortSignal | undefined): Parts {
  const reader = stream.getReader()
  return new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value.type === 'error' ? { type: 'error', error: failureFrom(value.error, context) } : value)
      } catch (error) {
        controller.error(signal?.aborted ? signal.reason : failureFrom(error, context))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
