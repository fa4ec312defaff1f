import { Failure } from '../../../core/errors.js'
import { modelFailureData } from '../../../core/model/index.js'
import {
  displayAddress,
  findProvider,
  isLoopback,
  listModels,
  type Provider,
  providerAddress,
  providers,
} from '../../../core/providers/index.js'
import { type KeyStore, keyStore, type SecretStoreOptions } from '../keys.js'
import { type LoadedSettings, loadSettings, type SettingsLocation, vaultInUse } from './settings.js'

/** A provider as it is set up here. */
export interface ProviderRow {
  provider: string
  name: string
  /** Whether `-m provider/model` would find a key and an address. */
  configured: boolean
  address?: string
  key?: { source: string; where?: string }
  /** True if the provider answered. Absent if it was not queried. */
  running?: boolean
  models?: string[]
  problem?: { text: string; hint?: string } | undefined
}

/** Local servers. Querying them sends nothing to anyone else. */
const localServers = new Set(['ollama', 'lmstudio'])
const localLimitMs = 1000
const probeLimitMs = 15_000

/** All providers. Local ones are queried for their models; others only with `probe` and a key. */
export async function providerRows(place: SettingsLocation, probe = false): Promise<ProviderRow[]> {
  const store = await openKeyStore(place)
  return Promise.all(providers.map((provider) => describeProvider(provider, { place, store, probe })))
}

/** Queries one provider for its models. */
export async function probeProvider(place: SettingsLocation, provider: Provider): Promise<ProviderRow> {
  return describeProvider(provider, { place, store: await openKeyStore(place), probe: true })
}

interface ProviderTask {
  place: SettingsLocation
  store: KeyStore
  probe: boolean
}

async function describeProvider(provider: Provider, { place, store, probe }: ProviderTask): Promise<ProviderRow> {
  const { environment } = place.surroundings
  const named = { provider: provider.id, name: provider.name }
  let address: string | undefined
  try {
    address = providerAddress(provider, environment)
  } catch (error) {
    return { ...named, configured: false, problem: problemOf(error) }
  }
  const found = await store.find(provider)
  const key = found && { source: found.source, ...(found.where && { where: found.where }) }
  const configured = address !== undefined && (found !== undefined || !provider.key?.required)
  const row: ProviderRow = {
    ...named,
    configured,
    ...(address && { address: displayAddress(address) }),
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

/** The source of a provider's key, never the key itself. */
export interface KeyRow {
  provider: string
  source: 'environment' | 'keyring' | 'file'
  /** The variable or the file. */
  where?: string
}

export async function keyRows(place: SettingsLocation): Promise<KeyRow[]> {
  const store = await openKeyStore(place)
  const rows = await Promise.all(providers.map(async (provider) => keyRow(provider.id, await store.find(provider))))
  return rows.filter((row) => row !== undefined)
}

interface StoredKey extends KeyRow {
  name: string
  /** A variable whose key is used in its place as long as it is set. */
  hiddenBy?: string
}

export async function storeKey(place: SettingsLocation, id: string, key: string): Promise<StoredKey> {
  const provider = findProvider(id)
  const store = await openKeyStore(place)
  const { source, where } = await store.set(provider, key)
  const used = await store.find(provider)
  const hiddenBy = used?.source === 'environment' ? used.where : undefined
  return { provider: provider.id, name: provider.name, source, ...(where && { where }), ...(hiddenBy && { hiddenBy }) }
}

/** Fails if none is stored; returns the variable that still contains one. */
export async function removeKey(
  place: SettingsLocation,
  id: string,
): Promise<{ name: string; provider: string; left?: string }> {
  const provider = findProvider(id)
  const store = await openKeyStore(place)
  const isRemoved = await store.remove(provider)
  const left = await store.find(provider)
  if (!isRemoved) {
    const hint = left?.source === 'environment' ? `The key comes from ${left.where}. Unset it there.` : undefined
    throw new Failure('not-found', `No API key is stored for ${provider.name}.`, { hint })
  }
  return { name: provider.name, provider: provider.id, ...(left?.where && { left: left.where }) }
}

function keyRow(provider: string, found: Omit<KeyRow, 'provider'> | undefined): KeyRow | undefined {
  return found && { provider, source: found.source, ...(found.where && { where: found.where }) }
}

/** The user's key store. Works without a vault; no key is stored inside a vault. */
export async function openKeyStore(place: SettingsLocation): Promise<KeyStore> {
  return keyStore(await secretsLocation(place, await loadSettings(place)))
}

/** The location of the user's secrets. */
export async function secretsLocation(place: SettingsLocation, setup: LoadedSettings): Promise<SecretStoreOptions> {
  const { environment } = place.surroundings
  return { environment, state: setup.folders.state, vault: await vaultInUse(place, setup) }
}
