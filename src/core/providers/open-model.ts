import { type LanguageModelV3, type Profile, profileFor } from '../model/index.js'
import { environmentKeys, type Keys, missingKey, modelContext, requireAddress } from './connect.js'
import { findProvider, splitModelName } from './find-provider.js'
import { guardedModel } from './guarded-model.js'
import type { Environment, Fetch } from './provider.js'
import { watchedFetch } from './watched-fetch.js'

export interface OpenOptions {
  environment: Environment
  fetch: Fetch
  /** Unless told, the environment's alone. */
  keys?: Keys
  /** How long a provider may send nothing; a minute unless told. */
  stallMs?: number
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
}

export const usualStallMs = 60_000

/** Opens a model by its name. Connects to nothing; throws when the name, the key or the address is missing. */
export async function openModel(name: string, options: OpenOptions): Promise<OpenedModel> {
  const other = await openOther(name, options)
  if (other !== undefined) return other
  const { provider: id, modelId } = splitModelName(name)
  const provider = findProvider(id, Object.keys({ ...ownModels, ...options.others }))
  const { environment, fetch, keys = environmentKeys(environment), stallMs = usualStallMs } = options
  const baseUrl = requireAddress(provider, environment)
  const key = await keys(provider)
  const context = modelContext(provider, modelId, baseUrl, key === undefined ? [] : [key.reveal()])
  if (provider.key?.required && key === undefined) throw missingKey(provider, context)
  const open = await provider.load({ baseUrl, key, fetch: watchedFetch(fetch, { stallMs, context }) })
  return {
    name: `${provider.id}/${modelId}`,
    provider: provider.id,
    model: guardedModel(open(modelId), context),
    profile: profileFor(modelId),
  }
}

async function openOther(name: string, options: OpenOptions): Promise<OpenedModel | undefined> {
  const others = { ...ownModels, ...options.others }
  const [, provider, modelId = ''] = /^([^/]*)\/?(.*)$/.exec(name.trim()) ?? []
  const open = Object.hasOwn(others, provider) ? others[provider] : undefined
  if (open === undefined) return undefined
  return {
    name: modelId === '' ? provider : `${provider}/${modelId}`,
    provider,
    model: await open(modelId),
    profile: { ...profileFor(modelId), dialect: 'native' },
  }
}
