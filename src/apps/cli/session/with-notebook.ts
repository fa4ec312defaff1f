import type { Config } from '../../../core/config/index.js'
import { type FolderNotebook, type OpenOptions, openNotebook } from '../../../hosts/node/open-notebook.js'
import type { Invocation } from '../program/invocation.js'
import { visibleLine } from '../terminal/index.js'
import { locateVault, readSettings } from './locate-vault.js'

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
