import type { Config } from '../../../core/config/index.js'
import { type ListedServer, listServers as listed } from '../../../core/mcp/index.js'
import type { KnownServers } from './known-servers.js'
import { readVaultServers } from './vault-servers.js'

export interface ServerPlaces {
  settings: Pick<Config, 'mcpServers'>
  /** Real path of the vault's folder, where there is one. */
  root?: string
  known: KnownServers
  onTrouble(text: string): void
}

/** All servers of the settings and of the vault. Starts none. */
export async function listServers({ settings, root, known, onTrouble }: ServerPlaces): Promise<ListedServer[]> {
  return listed({
    settings: settings.mcpServers ?? {},
    vault: root === undefined ? {} : await readVaultServers(root, onTrouble),
    trusted: root === undefined ? [] : await known.trusted(root),
  })
}
