import type { Config } from '../../../core/config/index.js'
import { type FolderNotebook, type OpenNotebookOptions, openFolderNotebook } from '../../../hosts/node/open-notebook.js'
import { readableNotebook } from '../../../hosts/node/permissions.js'
import type { Invocation } from '../program/invocation.js'
import { visibleLine } from '../terminal/terminal.js'
import { locateVault, readSettings } from './settings.js'

/** Opens the vault for as long as `use` runs. */
export async function withNotebook<T>(
  invocation: Invocation,
  use: (notebook: FolderNotebook, config: Config) => Promise<T>,
  options: OpenNotebookOptions = {},
): Promise<T> {
  const setting = await readSettings(invocation)
  const { root } = await locateVault(invocation, setting)
  const notebook = await openFolderNotebook(
    { root, config: setting.config, folders: setting.folders },
    { ...options, surroundings: invocation.surroundings },
  )
  try {
    if (notebook.trouble !== undefined) invocation.terminal.say(visibleLine(notebook.trouble))
    return await use(notebook, setting.config)
  } finally {
    await notebook.close()
  }
}

/** Opens the vault with its rules: denied notes are hidden from the user's own commands too. */
export async function withReadableNotebook<T>(
  invocation: Invocation,
  use: (notebook: FolderNotebook, config: Config) => Promise<T>,
  options: OpenNotebookOptions = {},
): Promise<T> {
  const onTrouble = (text: string) => invocation.terminal.say(visibleLine(text))
  return withNotebook(
    invocation,
    async (notebook, config) => use(await readableNotebook(notebook, config, onTrouble), config),
    options,
  )
}
