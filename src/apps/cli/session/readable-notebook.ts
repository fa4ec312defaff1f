import type { Config } from '../../../core/config/index.js'
import type { FolderNotebook, OpenOptions } from '../../../hosts/node/open-notebook.js'
import { vaultRules } from '../../../hosts/node/permissions/index.js'
import type { Invocation } from '../program/invocation.js'
import { visibleLine } from '../terminal/index.js'
import { withNotebook } from './open-vault.js'

/** Opens the vault as it may be read: what a rule denies is not there for the person's own commands either. */
export async function withReadableNotebook<T>(
  invocation: Invocation,
  use: (notebook: FolderNotebook, config: Config) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const onTrouble = (text: string) => invocation.terminal.say(visibleLine(text))
  return withNotebook(
    invocation,
    async (notebook, config) => use(await readable(notebook, config, onTrouble), config),
    options,
  )
}

async function readable(
  notebook: FolderNotebook,
  { permissions }: Config,
  onTrouble: (text: string) => void,
): Promise<FolderNotebook> {
  const own = await vaultRules({ root: notebook.root, onTrouble })
  const lists = [{ from: 'config', deny: permissions.deny }, own].filter(({ deny = [] }) => deny.length > 0)
  // Most vaults have no such rules, and start sooner without what reads them.
  if (lists.length === 0) return notebook
  const { denied } = await import('./denied-notes.js')
  return denied(notebook, lists)
}
