import type { FolderVault } from '../../../hosts/node/open-vault.js'
import { openFolderVault } from '../../../hosts/node/open-vault.js'
import type { LoadedSettings } from '../../../hosts/node/settings/settings.js'
import type { VaultNotifications } from '../../mcp/index.js'
import type { Invocation } from '../program/invocation.js'
import { visibleLine } from '../terminal/terminal.js'
import { environmentSecrets } from './open-session.js'

/**
 * Opens a vault for clients that connect and disconnect: it answers from the existing index, and updates it in the
 * background.
 */
export async function openServedVault(
  root: string,
  invocation: Invocation,
  { config: settings, folders }: LoadedSettings,
  news: VaultNotifications,
): Promise<FolderVault> {
  const { terminal, surroundings } = invocation
  const onTrouble = (text: string) => {
    terminal.say(visibleLine(text))
    news.trouble(text)
  }
  const vault = await openFolderVault({
    root,
    settings,
    folders,
    surroundings,
    approvalOptions: { remote: true },
    secrets: await environmentSecrets(invocation),
    onTrouble,
    listsAhead: true,
    readsAhead: true,
  })
  vault.notebook
    .updateInBackground({ onProgress: news.progress })
    .done.catch((error) => onTrouble((error as Error).message))
  vault.notebook.follow()
  return vault
}
