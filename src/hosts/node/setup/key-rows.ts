import { Failure } from '../../../core/errors.js'
import { findProvider, providers } from '../../../core/providers/index.js'
import { openKeyStore } from './open-key-store.js'
import type { SetupPlace } from './read-setup.js'

/** Where a provider's key comes from. Never the key itself. */
export interface KeyRow {
  provider: string
  source: 'environment' | 'keyring' | 'file'
  /** The variable or the file. */
  where?: string
}

export async function keyRows(place: SetupPlace): Promise<KeyRow[]> {
  const store = await openKeyStore(place)
  const rows = await Promise.all(providers.map(async (provider) => rowOf(provider.id, await store.find(provider))))
  return rows.filter((row) => row !== undefined)
}

export interface StoredKey extends KeyRow {
  name: string
  /** A variable whose key is used in its place as long as it is set. */
  hiddenBy?: string
}

export async function storeKey(place: SetupPlace, id: string, key: string): Promise<StoredKey> {
  const provider = findProvider(id)
  const store = await openKeyStore(place)
  const { source, where } = await store.set(provider, key)
  const used = await store.find(provider)
  const hiddenBy = used?.source === 'environment' ? used.where : undefined
  return { provider: provider.id, name: provider.name, source, ...(where && { where }), ...(hiddenBy && { hiddenBy }) }
}

/** Fails where none is stored; answers the variable that still holds one. */
export async function removeKey(
  place: SetupPlace,
  id: string,
): Promise<{ name: string; provider: string; left?: string }> {
  const provider = findProvider(id)
  const store = await openKeyStore(place)
  const isRemoved = await store.remove(provider)
  const left = await store.find(provider)
  if (!isRemoved) {
    const hint = left?.source === 'environment' ? `There is one in ${left.where}, which is yours to unset.` : undefined
    throw new Failure('not-found', `No key is stored for ${provider.name}.`, { hint })
  }
  return { name: provider.name, provider: provider.id, ...(left?.where && { left: left.where }) }
}

function rowOf(provider: string, found: Omit<KeyRow, 'provider'> | undefined): KeyRow | undefined {
  return found && { provider, source: found.source, ...(found.where && { where: found.where }) }
}
