import type { Config } from '../../../core/config/index.js'
import { type LoadedConfig, readConfig } from '../../../hosts/node/config/index.js'
import { type AskAboutFolder, type FoundVault, findVault, vaultWish } from '../../../hosts/node/find-vault/index.js'
import { type FolderNotebook, type OpenOptions, openNotebook } from '../../../hosts/node/open-notebook.js'
import { type StateFolders, stateFolders } from '../../../hosts/node/state/index.js'
import type { Invocation } from '../program/invocation.js'
import { pressKey, visibleLine } from '../terminal/index.js'

export interface Setting {
  folders: StateFolders
  loaded: LoadedConfig
  config: Config
}

/** The configuration as this command line sees it. */
export async function readSettings(
  { options, surroundings, terminal }: Invocation,
  flags: Record<string, unknown> = {},
): Promise<Setting> {
  const folders = stateFolders(surroundings)
  const loaded = await readConfig({
    file: folders.configFile,
    environment: surroundings.environment,
    flags: { ...flags, vault: options.vault },
  })
  terminal.useColor(loaded.config.color)
  return { folders, loaded, config: loaded.config }
}

export async function locateVault(invocation: Invocation, { loaded }: Setting): Promise<FoundVault> {
  const { surroundings, terminal } = invocation
  const found = await findVault(vaultWish(loaded), surroundings, askAboutFolder(invocation))
  terminal.trace(`vault ${visibleLine(found.root)} (from ${found.from})`)
  if (found.passedOver !== undefined) {
    terminal.say(`Using ${visibleLine(found.root)} (from ${found.from}). For the folder you are in, add --vault .`)
  }
  return found
}

/** Asks only a person at a terminal: a script gets a sentence. */
function askAboutFolder({ terminal, signal }: Invocation): AskAboutFolder | undefined {
  if (terminal.json || !terminal.canAsk) return undefined
  return async (folder) => {
    terminal.say(
      `${visibleLine(folder)} holds Markdown notes. Notewright keeps its index elsewhere and asks before changes.`,
    )
    const answer = await pressKey(terminal, 'Use this folder as your vault when you are in it? [Y/n]', 'yn', signal)
    return answer === undefined ? undefined : answer !== 'n'
  }
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
