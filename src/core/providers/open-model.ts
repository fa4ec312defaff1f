import type { FileKind } from '../files/index.js'
import { type LanguageModelV3, type Profile, profileFor } from '../model/index.js'
import { type Advice, commandLineAdvice } from './advice.js'
import { announcedFetch, type OutgoingRequest } from './announced-fetch.js'
import { announcedModel } from './announced-model.js'
import { isNearby } from './base-url.js'
import { environmentKeys, type Keys, missingKey, modelContext, requireAddress } from './connect.js'
import { findProvider, splitModelName } from './find-provider.js'
import { guardedModel } from './guarded-model.js'
import type { Environment, Fetch } from './provider.js'
import { watchedFetch } from './watched-fetch.js'
import { type ModelWindow, modelWindow } from './window/model-window.js'

export interface OpenOptions {
  environment: Environment
  fetch: Fetch
  /** Unless told, the environment's alone. */
  keys?: Keys
  /** How long a provider may send nothing between two words; a minute unless told. */
  stallMs?: number
  /** Told of every request to the model before it leaves. */
  onRequest?: (request: OutgoingRequest) => Promise<void>
  /** How many tokens the model has room for, where the person says so. */
  window?: number
  /** What a person can do about it, where they are; on the command line unless told. */
  advice?: Advice
  /** Models that no server serves, by their provider's name, besides `offline`, which they may replace. */
  others?: OwnModels
}

type OwnModels = Readonly<Record<string, (modelId: string) => Promise<LanguageModelV3>>>

const ownModels: OwnModels = {
  offline: async () => (await import('../offline/index.js')).offlineModel(),
}

export interface OpenedModel {
  /** As the person named it: `openai/gpt-5`. */
  name: string
  /** `openai`. */
  provider: string
  model: LanguageModelV3
  profile: Profile
  /** How much fits, asked for when it is first needed. Absent: there is no limit that anyone knows of. */
  window?(): Promise<ModelWindow>
  /** It runs on a machine of the person's: slow to begin, and nobody else's. */
  isNearby?: true
}

export const usualStallMs = 60_000

/** A machine at home reads a long prompt for minutes before its first word. */
const nearbyPatience = 5

/** Opens a model by its name. Connects to nothing; throws when the name, the key or the address is missing. */
export async function openModel(name: string, options: OpenOptions): Promise<OpenedModel> {
  const other = await openOther(name, options)
  if (other !== undefined) return other
  const { provider: id, modelId } = splitModelName(name)
  const provider = findProvider(id, Object.keys({ ...ownModels, ...options.others }))
  const { environment, fetch, keys = environmentKeys(environment), stallMs = usualStallMs } = options
  const { advice = commandLineAdvice } = options
  const baseUrl = requireAddress(provider, environment, advice)
  const key = await keys(provider)
  const context = modelContext(provider, modelId, baseUrl, key === undefined ? [] : [key.reveal()], advice)
  if (provider.key?.required && key === undefined) throw missingKey(provider, context)
  const profile = withFiles(profileFor(modelId), provider.files)
  const isNear = isNearby(baseUrl)
  const firstMs = isNear ? stallMs * nearbyPatience : stallMs
  const told = options.onRequest
    ? announcedFetch(fetch, { provider: provider.id, model: modelId }, options.onRequest)
    : fetch
  const connection = { baseUrl, key, fetch: watchedFetch(told, { stallMs, firstMs, context }) }
  const window = modelWindow({ provider, modelId, connection, profile, wanted: options.window, advice })
  const open = await provider.load({ ...connection, window })
  return {
    name: `${provider.id}/${modelId}`,
    provider: provider.id,
    model: guardedModel(open(modelId), context),
    profile,
    window,
    ...(isNear && { isNearby: true }),
  }
}

async function openOther(name: string, options: OpenOptions): Promise<OpenedModel | undefined> {
  const others = { ...ownModels, ...options.others }
  const [, provider, modelId = ''] = /^([^/]*)\/?(.*)$/.exec(name.trim()) ?? []
  const open = Object.hasOwn(others, provider) ? others[provider] : undefined
  if (open === undefined) return undefined
  const model = await open(modelId)
  const about = { provider, model: modelId, destination: `${provider} on this machine` }
  return {
    name: modelId === '' ? provider : `${provider}/${modelId}`,
    provider,
    // Without a model nothing leaves.
    model: options.onRequest && provider !== 'offline' ? announcedModel(model, about, options.onRequest) : model,
    profile: { ...withFiles(profileFor(modelId), ['image']), dialect: 'native' },
  }
}

/** What a model takes, as far as it can be sent there. */
function withFiles(profile: Profile, kinds: readonly FileKind[]): Profile {
  const taken = kinds.flatMap((kind) =>
    profile.files[kind] === undefined ? [] : [[kind, profile.files[kind]] as const],
  )
  return { ...profile, files: Object.fromEntries(taken) }
}
