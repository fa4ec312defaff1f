import {
  type DialectMemory,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3StreamPart,
  modelFailureData,
  noticePart,
  type Profile,
  probeDialect,
} from '../../model/index.js'
import { functionTools } from './write-request.js'

export interface FoundDialect {
  profile: Profile
  /** Where the answer is kept, under the name of the model as people write it. */
  memory?: DialectMemory
  name?: string
  /** The model as it is spoken to in a dialect. */
  wrap(dialect: string): LanguageModelV3
}

/**
 * Speaks to a model as its profile says, or asks it once how it calls tools when tools are first offered. Where its
 * server turns out to take no tools, the model is spoken to in text from then on.
 */
export function inFoundDialect(model: LanguageModelV3, options: FoundDialect): LanguageModelV3 {
  const { profile, name = `${model.provider}/${model.modelId}`, memory = shortMemory() } = options
  const text = profile.textDialect
  const wraps = new Map<string, LanguageModelV3>()
  const wrap = (dialect: string): LanguageModelV3 => {
    const known = wraps.get(dialect) ?? options.wrap(dialect)
    wraps.set(dialect, known)
    return known
  }
  let chosen: Promise<string> | undefined

  function choose(signal = new AbortController().signal): Promise<string> {
    const candidates = [
      { name: 'native', wrap: () => wrap('native') },
      { name: text, wrap: () => wrap(text) },
    ] as const
    chosen ??= (
      profile.dialect === 'auto' ? probeDialect(model, { name, candidates, memory, signal, profile }) : known()
    )
      .then(({ dialect }) => dialect)
      .catch((error) => {
        // Not an answer: the next request asks again.
        chosen = undefined
        throw error
      })
    return chosen
  }

  async function known(): Promise<{ dialect: string }> {
    return { dialect: (await memory.recall(name)) === text ? text : 'native' }
  }

  async function mustBeAsked(): Promise<boolean> {
    return profile.dialect === 'auto' && chosen === undefined && (await memory.recall(name)) === undefined
  }

  /** Makes a request in the dialect that is known by now; once more in text if the server takes no tools. */
  async function speak<Result>(
    given: LanguageModelV3CallOptions,
    request: (model: LanguageModelV3) => PromiseLike<Result>,
  ): Promise<{ result: Result; isRefused?: true }> {
    const dialect = speaksOfTools(given) ? await choose(given.abortSignal) : await (chosen ?? 'native')
    try {
      return { result: await request(wrap(dialect)) }
    } catch (error) {
      if (dialect !== 'native' || modelFailureData(error)?.kind !== 'no-tools') throw error
      chosen = Promise.resolve(text)
      await memory.remember(name, text)
      return { result: await request(wrap(text)), isRefused: true }
    }
  }

  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (given) => (await speak(given, (found) => found.doGenerate(given))).result,
    async doStream(given) {
      const speakNow = async () => {
        const { result, isRefused } = await speak(given, (found) => found.doStream(given))
        return isRefused ? { ...result, stream: streamAfter(refused, async () => result.stream) } : result
      }
      if (!speaksOfTools(given) || !(await mustBeAsked())) return speakNow()
      return { stream: streamAfter(asking, async () => (await speakNow()).stream) }
    },
  }
}

const asking = 'Finding out how this model calls tools.'
const refused = 'This server takes no tools for this model, so it writes its calls as text.'

type Parts = ReadableStream<LanguageModelV3StreamPart>

/** A notice at once, and then what comes. */
function streamAfter(text: string, open: () => Promise<Parts>): Parts {
  let reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | undefined
  return new ReadableStream<LanguageModelV3StreamPart>({
    start: (controller) => controller.enqueue(noticePart(text)),
    async pull(controller) {
      reader ??= (await open()).getReader()
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader?.cancel(reason),
  })
}

function speaksOfTools(given: LanguageModelV3CallOptions): boolean {
  return functionTools(given).length > 0 || given.prompt.some(({ role }) => role === 'tool')
}

function shortMemory(): DialectMemory {
  const known = new Map<string, string>()
  return {
    recall: async (model) => known.get(model),
    remember: async (model, dialect) => void known.set(model, dialect),
  }
}
