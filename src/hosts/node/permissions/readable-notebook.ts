import type { Config } from '../../../core/config/index.js'
import type { FolderNotebook } from '../open-notebook.js'
import { vaultRules } from './vault-rules.js'

/** The notes as a person's own questions see them: what a rule denies is not there for these either. */
export async function readableNotebook(
  notebook: FolderNotebook,
  { permissions }: Pick<Config, 'permissions'>,
  onTrouble: (text: string) => void,
): Promise<FolderNotebook> {
  const own = await vaultRules({ root: notebook.root, onTrouble })
  const lists = [{ from: 'config', deny: permissions.deny }, own].filter(({ deny = [] }) => deny.length > 0)
  // Most vaults have no such rules, and start sooner without what reads them.
  if (lists.length === 0) return notebook
  const { denied } = await import('./denied-notes.js')
  return denied(notebook, lists)
}
