import { failureFrom } from '../model/index.js'
import type { Advice } from './advice.js'
import { environmentKeys, type Keys, missingKey, modelContext, requireAddress } from './connect.js'
import type { Environment, Fetch, Provider } from './provider.js'
import { refusedBy } from './refused-by.js'
import { watchedFetch } from './watched-fetch.js'

export interface ListOptions {
  environment: Environment
  fetch: Fetch
  keys?: Keys
  /** What a person can do about it, where they are; on the command line unless told. */
  advice?: Advice
  /** The whole answer must be there by then. */
  limitMs: number
  signal: AbortSignal
}

/** Asks a provider which models it serves. Throws a failure that says what to do. */
export async function listModels(provider: Provider, options: ListOptions): Promise<string[]> {
  const { environment, fetch, keys = environmentKeys(environment), limitMs, signal, advice } = options
  const baseUrl = requireAddress(provider, environment, advice)
  const key = await keys(provider)
  const context = modelContext(provider, '', baseUrl, key === undefined ? [] : [key.reveal()], advice)
  if (provider.key?.required && key === undefined) throw missingKey(provider, context)
  const watched = watchedFetch(fetch, { stallMs: limitMs, context })
  try {
    const headers = { accept: 'application/json', ...provider.listHeaders(key?.reveal()) }
    const response = await watched(`${baseUrl}/models`, { headers, signal })
    const text = await response.text()
    if (!response.ok) throw await refusedBy(response, text)
    return provider.modelIds(JSON.parse(text)).sort()
  } catch (error) {
    signal.throwIfAborted()
    throw failureFrom(error, context)
  }
}
