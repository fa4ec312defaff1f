import type { KeptGrant } from '../../../core/approval/index.js'
import type { ListedServer } from '../../../core/mcp/index.js'
import { type KeptMemory, keptMemories } from '../../../core/memory/index.js'
import type { NotebookStatus } from '../../../core/notebook/index.js'
import { projectRows } from '../../../core/session/index.js'
import type { PluginVault } from '../../../hosts/obsidian/index.js'
import type { OpenPlugin } from '../open-plugin.js'

/** What the settings show of the vault. Read before they are drawn: drawing them must not wait for anything. */
export interface Known {
  grants: KeptGrant[]
  memories: KeptMemory[]
  projects: string[]
  /** undefined while the index cannot be asked. */
  index?: NotebookStatus
  servers?: KnownServers
}

interface KnownServers {
  startsPrograms: boolean
  /** Of the settings as they are now, and of the vault as it was when it was looked at. */
  list: () => ListedServer[]
}

export async function readKnown({ vault }: OpenPlugin): Promise<Known> {
  const [grants, memories, projects, index, servers] = await Promise.all([
    vault.grants.load(),
    keptMemories(vault.notebook.vault, vault.settings.memory.note).catch(() => []),
    projectNames(vault).catch(() => []),
    vault.notebook.status().catch(() => undefined),
    knownServers(vault),
  ])
  return { grants, memories, projects, index, servers }
}

async function knownServers(vault: PluginVault): Promise<KnownServers> {
  const servers = await vault.toolServers()
  const here = await servers.known()
  return { startsPrograms: servers.startsPrograms, list: () => servers.list(here) }
}

/** As the person's own rules let them be seen. */
async function projectNames(vault: PluginVault): Promise<string[]> {
  const session = await vault.openSession({ keep: false, canAsk: false })
  try {
    return (await projectRows(vault, session)).map(({ name }) => name)
  } finally {
    await session.close()
  }
}
