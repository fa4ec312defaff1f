import { basename, join } from 'node:path'
import { settingsFor } from '../../../../core/config/index.js'
import type { SessionOptions } from '../../../../core/session/index.js'
import { openClientModel } from '../../../../hosts/node/agent/index.js'
import type { FolderVault } from '../../../../hosts/node/open-vault.js'
import { repliesFile } from '../../../../hosts/node/replies/index.js'
import type { StateFolders } from '../../../../hosts/node/state/index.js'
import { mcpDoor, servedVaults } from '../../../mcp-server/index.js'
import { responsesDoor } from '../../../responses/index.js'
import type { Door } from '../../../server/index.js'
import type { Invocation } from '../../program/invocation.js'
import { visibleLine } from '../../terminal/index.js'
import type { ServeOptions } from './serve.js'

export interface Served {
  invocation: Invocation
  options: ServeOptions
  vault: FolderVault
  folders: StateFolders
}

/** Everything that `notewright serve` serves. A new door is one more of these. */
export async function openDoors(served: Served): Promise<Door[]> {
  return [await responses(served), mcp(served)]
}

function mcp({ invocation, options, vault }: Served): Door {
  return mcpDoor({
    vaults: servedVaults({ [basename(vault.notebook.root) || 'vault']: async () => vault }),
    session: { allow: options.allow },
    onTrouble: (text) => invocation.terminal.say(visibleLine(text)),
  })
}

async function responses({ invocation, options, vault, folders }: Served): Promise<Door> {
  const { settings, notebook } = vault
  const { environment, home } = invocation.surroundings
  const backend = options.backend ?? settings.model
  const place = {
    environment,
    home,
    state: folders.state,
    vault: notebook.root,
    dialect: options.dialect ?? settings.dialect,
    codex: settings.codex,
  }
  const replies = repliesFile(join(folders.state, 'serve', 'replies.db'), {
    keepMs: settings.serve.keepHours * 3_600_000,
    onDamage: (aside) =>
      invocation.terminal.say(`What was kept for clients was damaged, and lies in ${visibleLine(aside)}.`),
  })
  const openSession = (wish: SessionOptions) =>
    vault.openSession({
      ...wish,
      keep: false,
      model: backend,
      dialect: options.dialect,
      consent: 'locked',
      canAsk: false,
      allow: options.allow,
      onTrouble: (text) => invocation.terminal.trace(visibleLine(text)),
    })
  // A rule that cannot be read is told now, not to a client.
  await (await openSession({})).close()
  return responsesDoor({
    vault: { name: basename(notebook.root), openSession },
    ...(backend !== 'offline' && { backend }),
    replies,
    openBackend: (name) => {
      const { window, stallSeconds } = settingsFor(name, settings)
      return openClientModel(name, place, { window, stallMs: stallSeconds * 1000 })
    },
  })
}
