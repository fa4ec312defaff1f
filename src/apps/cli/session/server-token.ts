import { findVault, vaultWish } from '../../../hosts/node/find-vault/index.js'
import { type TokenFile, tokenFile } from '../../../hosts/node/keys/index.js'
import type { Invocation } from '../program/invocation.js'
import { readSettings } from './locate-vault.js'

/** The token of this machine's server: the one the person set, else the one in the file, made when there is none. */
export async function tokenFor(invocation: Invocation): Promise<string> {
  const { config } = await readSettings(invocation)
  if (config.serve.token !== undefined) return config.serve.token
  const file = await openTokenFile(invocation)
  return (await file.read()) ?? file.renew()
}

export async function openTokenFile(invocation: Invocation): Promise<TokenFile> {
  const { folders, loaded } = await readSettings(invocation)
  const vault = await findVault(vaultWish(loaded), invocation.surroundings).catch(() => undefined)
  return tokenFile({ state: folders.state, vault: vault?.root })
}
