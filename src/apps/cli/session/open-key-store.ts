import { findVault, vaultWish } from '../../../hosts/node/find-vault/index.js'
import { type KeyStore, keyStore } from '../../../hosts/node/keys/index.js'
import type { Invocation } from '../program/invocation.js'
import { readSettings } from './open-vault.js'

/** The keys of whoever runs this. Works without a vault; where there is one, no key is kept inside it. */
export async function openKeyStore(invocation: Invocation): Promise<KeyStore> {
  const { surroundings } = invocation
  const { folders, loaded } = await readSettings(invocation)
  const vault = await findVault(vaultWish(loaded), surroundings).catch(() => undefined)
  return keyStore({ environment: surroundings.environment, state: folders.state, vault: vault?.root })
}
