import type { LoadedConfig } from '../config/index.js'
import type { VaultWish } from './find-vault.js'

/** The vault that a person named, and where. */
export function vaultWish({ config, sources }: LoadedConfig): VaultWish | undefined {
  const { source, variable } = sources.vault
  return config.vault === undefined || source === 'default' ? undefined : { path: config.vault, source, variable }
}
