import { Failure } from '../../../../core/errors.js'
import { nearestName } from '../../../../core/names/index.js'
import { findVault, vaultWish } from '../../../../hosts/node/find-vault/index.js'
import { type KnownServers, knownServers, type ListedServer, listServers } from '../../../../hosts/node/mcp/index.js'
import type { Invocation } from '../../program/invocation.js'
import { readSettings, type Setting } from '../../session/open-vault.js'
import { visibleLine } from '../../terminal/index.js'

export interface FoundServers {
  setting: Setting
  known: KnownServers
  /** The vault in use, if there is one. */
  root?: string
  servers: ListedServer[]
}

/** The servers there are. Works without a vault too. */
export async function findServers(invocation: Invocation): Promise<FoundServers> {
  const { surroundings, terminal } = invocation
  const setting = await readSettings(invocation)
  const known = knownServers(setting.folders.state)
  const vault = await findVault(vaultWish(setting.loaded), surroundings).catch(() => undefined)
  const servers = await listServers({
    settings: setting.config,
    root: vault?.root,
    known,
    onTrouble: (text) => terminal.say(visibleLine(text)),
  })
  return { setting, known, root: vault?.root, servers }
}

/** The one that counts under this name. */
export function serverNamed(name: string, servers: readonly ListedServer[]): ListedServer {
  const found = servers.find((server) => server.name === name && server.state !== 'hidden')
  if (found !== undefined) return found
  const names = servers.map((server) => server.name)
  const near = nearestName(name, names)
  throw new Failure('not-found', `There is no MCP server ${name}.`, {
    hint: near ? `Did you mean ${near}?` : 'See them with: notewright mcp-servers list',
  })
}

/** What would be started, word for word: as it is written, since a variable may hold a secret. */
export function argvOf({ setting }: Pick<ListedServer, 'setting'>): string[] {
  return 'command' in setting ? [setting.command, ...(setting.args ?? [])] : [setting.url]
}

/** Each word as it is passed on: where one ends and the next begins can be seen. */
export function shownArgv(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}
