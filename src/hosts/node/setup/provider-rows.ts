import { Failure } from '../../../core/errors.js'
import { modelFailureData } from '../../../core/model/index.js'
import {
  addressOf,
  isLoopback,
  listModels,
  type Provider,
  providers,
  shownAddress,
} from '../../../core/providers/index.js'
import type { KeyStore } from '../keys/index.js'
import { openKeyStore } from './open-key-store.js'
import type { SetupPlace } from './read-setup.js'

/** A provider as it is set up here. */
export interface ProviderRow {
  provider: string
  name: string
  /** Whether `-m provider/model` would find a key and an address. */
  configured: boolean
  address?: string
  key?: { source: string; where?: string }
  /** Only where it was asked: whether someone answered. */
  running?: boolean
  models?: string[]
  problem?: { text: string; hint?: string }
}

/** Servers that people run on their own machine; asking there tells nobody anything. */
const localServers = new Set(['ollama', 'lmstudio'])
const localLimitMs = 1000
const probeLimitMs = 15_000

/** Every provider. Who runs on this machine is asked for its models; others only with `probe`, where there is a key. */
export async function providerRows(place: SetupPlace, probe = false): Promise<ProviderRow[]> {
  const store = await openKeyStore(place)
  return Promise.all(providers.map((provider) => describeProvider(provider, { place, store, probe })))
}

/** One provider, asked for its models. */
export async function probedProvider(place: SetupPlace, provider: Provider): Promise<ProviderRow> {
  return describeProvider(provider, { place, store: await openKeyStore(place), probe: true })
}

interface Task {
  place: SetupPlace
  store: KeyStore
  probe: boolean
}

async function describeProvider(provider: Provider, { place, store, probe }: Task): Promise<ProviderRow> {
  const { environment } = place.surroundings
  const named = { provider: provider.id, name: provider.name }
  let address: string | undefined
  try {
    address = addressOf(provider, environment)
  } catch (error) {
    return { ...named, configured: false, problem: problemOf(error) }
  }
  const found = await store.find(provider)
  const key = found && { source: found.source, ...(found.where && { where: found.where }) }
  const configured = address !== undefined && (found !== undefined || !provider.key?.required)
  const row: ProviderRow = {
    ...named,
    configured,
    ...(address && { address: shownAddress(address) }),
    ...(key && { key }),
  }
  const isHere = address !== undefined && localServers.has(provider.id) && isLoopback(address)
  if (!isHere && !(probe && configured)) return row
  try {
    const limitMs = probe ? probeLimitMs : localLimitMs
    const list = await listModels(provider, {
      environment,
      fetch,
      keys: store.keys,
      limitMs,
      signal: place.signal,
    })
    return { ...row, running: true, models: list.map((id) => `${provider.id}/${id}`) }
  } catch (error) {
    place.signal.throwIfAborted()
    const kind = modelFailureData(error)?.kind
    return kind === 'unreachable' ? { ...row, running: false } : { ...row, running: false, problem: problemOf(error) }
  }
}

function problemOf(error: unknown): ProviderRow['problem'] {
  if (!(error instanceof Failure)) throw error
  return { text: error.message, ...(error.details.hint && { hint: error.details.hint }) }
}
