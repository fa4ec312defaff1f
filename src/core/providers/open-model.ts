import type { Failure } from '../errors.js'
import type { FileKind } from '../files.js'
import {
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3StreamPart,
  linkedAbort,
  type ModelContext,
  modelFailureFrom,
  type Profile,
  profileFor,
} from '../model/index.js'
import { isLocalNetwork } from './addresses.js'
import { findKey, findProvider, type Keys, requireAddress, splitModelName } from './connect.js'
import { modelWindow } from './model-window.js'
import {
  type Advice,
  commandLineAdvice,
  type Environment,
  type Fetch,
  type ModelWindow,
  type Provider,
  type RequestSignal,
} from './provider.js'
import { defaultStallMs, loggedModel, type OutgoingRequest, providerFetch } from './provider-fetch.js'
import { responseError } from './server-response.js'

// Opens a model by its name, and lists a provider's models.

/** Options of `openModel`: keys, addresses and the network. */
export interface OpenModelOptions {
  environment: Environment
  fetch: Fetch
  /** Default: the environment's keys only. */
  keys?: Keys
  /** The longest silence of a provider between two words. Default: one minute. */
  stallMs?: number
  /** Called before every request to the model leaves. */
  onRequest?: (request: OutgoingRequest) => Promise<void>
  /** Context size in tokens, if the user sets it. */
  window?: number | undefined
  /** Hints for the user in the current front end. Default: the command line's. */
  advice?: Advice
  /** Models without a server, by provider name, besides `offline`, which they may replace. */
  others?: OwnModels
}

type OwnModels = Readonly<Record<string, (modelId: string) => Promise<LanguageModelV3>>>

const ownModels: OwnModels = {
  offline: async () => (await import('../offline/index.js')).offlineModel(),
}

/** A model that is ready to use, with what is known about it. */
export interface OpenedModel {
  /** The model as the user named it: `openai/gpt-5`. */
  name: string
  /** `openai`. */
  provider: string
  model: LanguageModelV3
  profile: Profile
  /** Finds the context size on first use. Absent: no known limit. */
  window?(): Promise<ModelWindow>
  /** Local or LAN server: longer first-token timeout, and nobody else uses it. */
  isNearby?: true
}

/** A home machine reads a long prompt for minutes before its first word. */
const nearbyFactor = 5

/** Opens a model by its name. Connects to nothing; throws if the name, the key or the address is missing. */
export async function openModel(name: string, options: OpenModelOptions): Promise<OpenedModel> {
  const ownModel = await openOwnModel(name, options)
  if (ownModel !== undefined) return ownModel
  const { provider: id, modelId } = splitModelName(name)
  const provider = findProvider(id, Object.keys({ ...ownModels, ...options.others }))
  const { environment, fetch, keys, stallMs = defaultStallMs, advice = commandLineAdvice } = options
  const baseUrl = requireAddress(provider, environment, advice)
  const { key, context } = await findKey(provider, { modelId, baseUrl, environment, keys, advice })
  const profile = limitFiles(profileFor(modelId), provider.files)
  const isNear = isLocalNetwork(baseUrl)
  const firstMs = isNear ? stallMs * nearbyFactor : stallMs
  const log = options.onRequest && { about: { provider: provider.id, model: modelId }, write: options.onRequest }
  const connection = { baseUrl, key, fetch: providerFetch(fetch, { stallMs, firstMs, context, log }) }
  const window = modelWindow({ provider, modelId, connection, profile, wanted: options.window, advice })
  const open = await provider.load({ ...connection, window })
  return {
    name: `${provider.id}/${modelId}`,
    provider: provider.id,
    model: mapModelErrors(open(modelId), context),
    profile,
    window,
    ...(isNear && { isNearby: true }),
  }
}

async function openOwnModel(name: string, options: OpenModelOptions): Promise<OpenedModel | undefined> {
  const others = { ...ownModels, ...options.others }
  const [, provider = '', modelId = ''] = /^([^/]*)\/?(.*)$/.exec(name.trim()) ?? []
  const open = Object.hasOwn(others, provider) ? others[provider] : undefined
  if (open === undefined) return undefined
  const model = await open(modelId)
  const about = { provider, model: modelId, destination: `${provider} on this computer` }
  return {
    name: modelId === '' ? provider : `${provider}/${modelId}`,
    provider,
    // The offline model sends nothing.
    model: options.onRequest && provider !== 'offline' ? loggedModel(model, about, options.onRequest) : model,
    profile: { ...limitFiles(profileFor(modelId), ['image']), dialect: 'native' },
  }
}

/** Limits the files a model accepts to those its provider can send. */
function limitFiles(profile: Profile, kinds: readonly FileKind[]): Profile {
  const accepted = kinds.flatMap((kind) =>
    profile.files[kind] === undefined ? [] : [[kind, profile.files[kind]] as const],
  )
  return { ...profile, files: Object.fromEntries(accepted) }
}

/** Options of `listModels`. */
export interface ListOptions {
  environment: Environment
  fetch: Fetch
  keys?: Keys
  /** Hints for the user in the current front end. Default: the command line's. */
  advice?: Advice
  /** Time limit for the whole answer. */
  limitMs: number
  signal: AbortSignal
}

/** Lists the models a provider serves. Throws a failure with advice. */
export async function listModels(provider: Provider, options: ListOptions): Promise<string[]> {
  const { environment, fetch, keys, limitMs, signal, advice } = options
  const baseUrl = requireAddress(provider, environment, advice)
  const { key, context } = await findKey(provider, { modelId: '', baseUrl, environment, keys, advice })
  const fetchInTime = providerFetch(fetch, { stallMs: limitMs, context })
  try {
    const headers = { accept: 'application/json', ...provider.listHeaders(key?.reveal()) }
    const response = await fetchInTime(`${baseUrl}/models`, { headers, signal })
    const text = await response.text()
    if (!response.ok) throw await responseError(response, text)
    return provider.modelIds(JSON.parse(text)).sort()
  } catch (error) {
    signal.throwIfAborted()
    throw modelFailureFrom(error, context)
  }
}

/** Maps every error of a model to a failure with advice, without the request and without keys. */
function mapModelErrors(model: LanguageModelV3, context: ModelContext): LanguageModelV3 {
  async function mapErrors<Result>(
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
      mapErrors(given, async (options, call) => {
        const result = await model.doGenerate(options)
        call.end()
        return result
      }),
    doStream: (given) =>
      mapErrors(given, async (options, call) => {
        const result = await model.doStream(options)
        return { ...result, stream: mapStreamErrors(result.stream, call) }
      }),
  }
}

type Call = ReturnType<typeof startCall>

/** Starts one request with its own signal, on which the connection records how it broke. */
function startCall(outer: AbortSignal | undefined, context: ModelContext) {
  const { signal, release } = linkedAbort(outer)
  const broken = (): Failure | undefined => (signal as RequestSignal).brokenBy
  // The connection's own failure wins over the package's error.
  const failure = (error: unknown): Failure => broken() ?? modelFailureFrom(error, context)
  return { signal, broken, failure, end: release }
}

type Parts = ReadableStream<LanguageModelV3StreamPart>

function mapStreamErrors(stream: Parts, call: Call): Parts {
  const reader = stream.getReader()
  return new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      const fail = (failure: Failure) => {
        call.end()
        controller.enqueue({ type: 'error', error: failure })
        controller.close()
        // The failure is already reported.
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
