import { type KeyStore, keyStore, type SecretStoreOptions } from '../keys/index.js'
import { readSetup, type Setup, type SetupPlace, vaultInUse } from './read-setup.js'

/** The keys of whoever runs this. Works without a vault; where there is one, no key is kept inside it. */
export async function openKeyStore(place: SetupPlace): Promise<KeyStore> {
  return keyStore(await secretsPlace(place, await readSetup(place)))
}

/** Where secrets of theirs are kept. */
export async function secretsPlace(place: SetupPlace, setup: Setup): Promise<SecretStoreOptions> {
  const { environment } = place.surroundings
  return { environment, state: setup.folders.state, vault: await vaultInUse(place, setup) }
}
