import { Failure } from '../../../../core/errors.js'
import { type ListedServer, shownUrl } from '../../../../core/mcp/index.js'
import { nearestName } from '../../../../core/names/index.js'
import { secretStore } from '../../keys/index.js'
import { type KeptHeaders, type KnownServers, keptHeaders, knownServers, listServers } from '../../mcp/index.js'
import { secretsPlace } from '../open-key-store.js'
import { readSetup, type Setup, type SetupPlace } from '../read-setup.js'

/** Where servers are looked for, and who hears of trouble and of what they write to their standard error. */
export interface ServersPlace extends SetupPlace {
  onTrouble(text: string): void
  onLine(server: string, line: string): void
}

export interface FoundServers {
  setup: Setup
  known: KnownServers
  headers: KeptHeaders
  /** The vault in use, if there is one. */
  root?: string
  servers: ListedServer[]
}

/** The servers there are. Works without a vault too. */
export async function findServers(place: ServersPlace): Promise<FoundServers> {
  const setup = await readSetup(place)
  const known = knownServers(setup.folders.state)
  const secrets = await secretsPlace(place, setup)
  const root = secrets.vault
  const servers = await listServers({ settings: setup.config, root, known, onTrouble: place.onTrouble })
  return { setup, known, headers: keptHeaders(secretStore(secrets)), root, servers }
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

/** What would be started or asked, word for word: as it is written, since a variable may hold a secret. */
export function argvOf({ setting }: Pick<ListedServer, 'setting'>): string[] {
  return 'command' in setting ? [setting.command, ...(setting.args ?? [])] : [shownUrl(setting.url)]
}
