import type { Config } from '../../../core/config/index.js'
import { type LoadedConfig, readConfig } from '../../../hosts/node/config/index.js'
import { type FoundVault, findVault, vaultWish } from '../../../hosts/node/find-vault/index.js'
import { type FolderNotebook, type OpenOptions, openNotebook } from '../../../hosts/node/open-notebook.js'
import { type StateFolders, stateFolders } from '../../../hosts/node/state/index.js'
import type { Invocation } from '../program/invocation.js'
import { visibleLine } from '../terminal/index.js'

export interface Setting {
  folders: StateFolders
  loaded: LoadedConfig
  config: Config
}

/** The configuration as this command line sees it. */
export async function readSettings({ options, surroundings, terminal }: Invocation): Promise<Setting> {
  const folders = stateFolders(surroundings)
  const loaded = await readConfig({
    file: folders.configFile,
    environment: surroundings.environment,
    flags: { vault: options.vault },
  })
  terminal.useColor(loaded.config.color)
  return { folders, loaded, config: loaded.config }
}

export async function locateVault({ surroundings, terminal }: Invocation, { loaded }: Setting): Promise<FoundVault> {
  const found = await findVault(vaultWish(loaded), surroundings)
  terminal.trace(`vault ${visibleLine(found.root)} (from ${found.from})`)
  if (found.passedOver !== undefined) {
    terminal.say(`Using ${visibleLine(found.root)} (from ${found.from}). For the vault you are in, add --vault .`)
  }
  return found
}

/** Opens the vault for as long as `use` runs. */
export async function withNotebook<T>(
  invocation: Invocation,
  use: (notebook: FolderNotebook, config: Config) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const setting = await readSettings(invocation)
  const { root } = await locateVault(invocation, setting)
  const notebook = await openNotebook(
    { root, config: setting.config, folders: setting.folders },
    { ...options, surroundings: invocation.surroundings },
  )
  if (notebook.trouble !== undefined) invocation.terminal.say(visibleLine(notebook.trouble))
  try {
    return await use(notebook, setting.config)
  } finally {
    await notebook.close()
  }
}
