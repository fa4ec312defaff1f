import type { Config } from '../../../core/config/index.js'
import { type LoadedConfig, readConfig } from '../config/index.js'
import { findVault, vaultWish } from '../find-vault/index.js'
import { type StateFolders, type Surroundings, stateFolders } from '../state/index.js'

/** Where a person's setup is looked for. */
export interface SetupPlace {
  surroundings: Surroundings
  /** Values given on the command line, by dotted name. */
  flags?: Record<string, unknown>
  signal: AbortSignal
}

/** What a person has set up, as it counts here. */
export interface Setup {
  folders: StateFolders
  loaded: LoadedConfig
  config: Config
}

export async function readSetup({ surroundings, flags }: SetupPlace): Promise<Setup> {
  const folders = stateFolders(surroundings)
  const loaded = await readConfig({ file: folders.configFile, environment: surroundings.environment, flags })
  return { folders, loaded, config: loaded.config }
}

/** Real path of the vault in use; undefined where there is none. */
export async function vaultInUse(place: SetupPlace, { loaded }: Setup): Promise<string | undefined> {
  const found = await findVault(vaultWish(loaded), place.surroundings).catch(() => undefined)
  return found?.root
}
