import { type FolderVault, openFolderVault } from '../../../../hosts/node/open-vault.js'
import type { Setup } from '../../../../hosts/node/setup/index.js'
import type { VaultNews } from '../../../mcp-server/index.js'
import type { Invocation } from '../../program/invocation.js'
import { keysOf } from '../../session/with-session.js'
import { visibleLine } from '../../terminal/index.js'

/** Opens a vault for clients that come and go: it answers from the index there is, and catches up behind. */
export async function openServedVault(
  root: string,
  invocation: Invocation,
  { config: settings, folders }: Setup,
  news: VaultNews,
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
    desk: { remote: true },
    secrets: await keysOf(invocation),
    onTrouble,
    listsAhead: true,
    readsAhead: true,
  })
  vault.notebook.updateBehind({ onProgress: news.progress }).done.catch((error) => onTrouble((error as Error).message))
  vault.notebook.follow()
  return vault
}
