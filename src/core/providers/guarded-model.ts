import type { Failure } from '../errors.js'
import {
  failureFrom,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3StreamPart,
  linkedAbort,
  type ModelContext,
} from '../model/index.js'
import type { RequestSignal } from './provider.js'

/** A model whose every error is a failure that says what to do, with nothing of the request and no key in it. */
export function guardedModel(model: LanguageModelV3, context: ModelContext): LanguageModelV3 {
  async function guarded<Result>(
    options: LanguageModelV3CallOptions,
    act: (options: LanguageModelV3CallOptions, call: Call) => PromiseLike<Result>,
  ): Promise<Result> {
    const call = startCall(options.abortSignal, context)
    try {
      return await act({ ...options, abortSignal: call.signal }, call)
    } catch (error) {
      call.end()
      options.abortSignal?.throwIfAborted()
      throw call.failure(error)
    }
  }
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (given) =>
      guarded(given, async (options, call) => {
        const result = await model.doGenerate(options)
        call.end()
        return result
      }),
    doStream: (given) =>
      guarded(given, async (options, call) => {
        const result = await model.doStream(options)
        return { ...result, stream: guardedStream(result.stream, call) }
      }),
  }
}

/** One request with a signal of its own, under which the connection leaves word of how it broke. */
interface Call {
  signal: AbortSignal
  /** The connection's own failure before what the package made of it. */
  failure(error: unknown): Failure
  broken(): Failure | undefined
  end(): void
}

function startCall(given: AbortSignal | undefined, context: ModelContext): Call {
  const { signal, release } = linkedAbort(given)
  const broken = () => (signal as RequestSignal).brokenBy
  return { signal, broken, failure: (error) => broken() ?? failureFrom(error, context), end: release }
}

type Parts = ReadableStream<LanguageModelV3StreamPart>

function guardedStream(stream: Parts, call: Call): Parts {
  const reader = stream.getReader()
  return new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      const fail = (failure: Failure) => {
        call.end()
        controller.enqueue({ type: 'error', error: failure })
        controller.close()
        reader.cancel().catch(() => {})
      }
      try {
        const { done, value } = await reader.read()
        const broken = done || value.type === 'finish' || value.type === 'error' ? call.broken() : undefined
        if (broken !== undefined) return fail(broken)
        if (done) {
          call.end()
          return controller.close()
        }
        controller.enqueue(value.type === 'error' ? { type: 'error', error: call.failure(value.error) } : value)
      } catch (error) {
        if (!call.signal.aborted) return fail(call.failure(error))
        call.end()
        controller.error(call.signal.reason)
      }
    },
    cancel(reason) {
      call.end()
      return reader.cancel(reason)
    },
  })
}
