import type { ServerSetting } from '../../../core/config/index.js'
import { Failure } from '../../../core/errors.js'
import {
  checkServer,
  connectServer,
  describeLaunch,
  type HttpSetting,
  type ListedServer,
  type ReviewedTool,
  redactedUrl,
  reviewStates,
  type ServerConnection,
  type ShownServer,
  serverToolTitle,
  shownServer,
  toolHash,
  withKeys,
  withoutKeys,
} from '../../../core/mcp/index.js'
import { nearestName } from '../../../core/text/index.js'
import { notApproved, type ProgramStart, startHash } from '../approved-programs.js'
import { setConfigValue } from '../config.js'
import { secretStore } from '../keys.js'
import {
  listConfiguredServers,
  openTransport,
  type ServerApprovals,
  type StoredHeaders,
  serverApprovals,
  serverProgram,
  storedHeaders,
} from '../mcp-servers.js'
import { version } from '../version.js'
import { secretsLocation } from './providers.js'
import { type LoadedSettings, loadSettings, type SettingsLocation } from './settings.js'
import { switchTools } from './tools.js'

/** A server as it would be started, with the names of its stored headers and without the keys of its address. */
export async function describeServer(server: ListedServer, kept: StoredHeaders): Promise<ShownServer> {
  const { setting } = server
  const shown = shownServer(server)
  if ('command' in setting) return shown
  const [url, headers] = [await shownAddress(server, setting, kept), await headerNames(server, setting, kept)]
  return { ...shown, url, headers }
}

/** Keys in the query of the address are never shown. */
async function shownAddress({ name, from }: ListedServer, { url }: HttpSetting, kept: StoredHeaders): Promise<string> {
  const keys = from === 'settings' && URL.canParse(url) ? await kept.keysOf(name, url) : {}
  return redactedUrl(Object.keys(keys).length === 0 ? url : withKeys(url, { key: '' }))
}

async function headerNames(
  { name, from }: ListedServer,
  { url, headers = {} }: HttpSetting,
  kept: StoredHeaders,
): Promise<string[]> {
  const secret = from === 'settings' && URL.canParse(url) ? await kept.of(name, url) : {}
  return Object.keys({ ...headers, ...secret })
}

/** A server to add: its name, and the fields of its entry. */
export type NewServer = { name: string } & Record<string, unknown>

interface AddedServer {
  path: string
  /** Names of headers that are stored with the user's API keys. */
  kept: string[]
  /** Safe to show. */
  argv: string[]
}

/** Adds a server to the user's settings. Nothing is started. A program needs the user's approval: typed, or by hash. */
export async function addServer(
  place: ServersLocation,
  { name, ...server }: NewServer,
  approval: 'typed' | { hash?: string },
): Promise<AddedServer> {
  const { setup, headers, known } = await findServers(place)
  const { configFile } = setup.folders
  const servers = setup.config.mcpServers ?? {}
  if (Object.hasOwn(servers, name)) {
    throw new Failure('conflict', `An MCP server named ${name} already exists.`, {
      hint: `Remove it first: notewright mcp-servers remove ${name}`,
    })
  }
  const { setting, secret } = withoutSecrets(checkServer(name, server))
  const program = serverProgram({ name, from: 'settings', setting })
  if (program !== undefined) {
    if (approval !== 'typed' && approval.hash !== startHash(program)) throw notApproved(program)
    await known.programs.approve(program)
  }
  const kept = Object.keys(secret)
  if ('url' in setting && kept.length > 0) await headers.keep(name, setting.url, secret)
  const all = await withKeysKept({ ...servers, [name]: setting }, headers)
  await setConfigValue(configFile, 'mcpServers', JSON.stringify(all))
  return { path: configFile, kept, argv: argvOf({ setting }) }
}

/** Moves keys in the addresses of these entries to the user's stored keys. */
async function withKeysKept(
  servers: Readonly<Record<string, ServerSetting>>,
  headers: StoredHeaders,
): Promise<Record<string, ServerSetting>> {
  const moved: Record<string, ServerSetting> = {}
  for (const [name, setting] of Object.entries(servers)) {
    const { url, keys } = 'url' in setting ? withoutKeys(setting.url) : { url: '', keys: {} }
    const isMoved = 'url' in setting && Object.keys(keys).length > 0 && URL.canParse(url)
    if (isMoved) {
      const before = await headers.keysOf(name, url)
      await headers.keep(name, url, await headers.of(name, url), { ...before, ...keys })
    }
    moved[name] = isMoved ? { ...setting, url } : setting
  }
  return moved
}

/** A program to add, as it would be started, for approval; undefined for a server at an address. */
export function programToAdd({ name, ...server }: NewServer): ServerToTrust | undefined {
  const program = serverProgram({ name, from: 'settings', setting: checkServer(name, server) })
  return program && shownProgram(program)
}

function shownProgram(program: ProgramStart): ServerToTrust {
  const { argv, cwd, env } = program
  return { argv: [...argv], cwd, given: Object.entries(env), hash: startHash(program) }
}

/** A header with the name of a variable is no secret; any other header is stored as one. */
function withoutSecrets(setting: ServerSetting): { setting: ServerSetting; secret: Record<string, string> } {
  if ('command' in setting) return { setting, secret: {} }
  const { headers = {}, ...rest } = setting
  const isOpen = ([, value]: [string, string]) => value.includes('${')
  const all = Object.entries(headers)
  all.forEach(checkHeader)
  const written = all.filter(isOpen)
  const secret = all.filter((each) => !isOpen(each))
  return {
    setting: { type: 'http', ...rest, ...(written.length > 0 && { headers: Object.fromEntries(written) }) },
    secret: Object.fromEntries(secret),
  }
}

/** The input may be a key, so the message does not repeat it. */
function checkHeader([name, value]: [string, string]): void {
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\x20-\x7e]*[\x21-\x7e]$/.test(value)) return
  throw new Failure('invalid-input', 'A header needs a name and a value, both in ASCII characters.', {
    hint: 'For example: Authorization: Bearer KEY',
  })
}

export async function removeServer(place: ServersLocation, name: string): Promise<void> {
  const { setup, servers, headers, known } = await findServers(place)
  if (serverNamed(name, servers).from === 'vault') {
    throw new Failure('invalid-input', `${name} is set in the .mcp.json of this vault, not in your settings.`, {
      hint: 'Remove it from that file.',
    })
  }
  const { [name]: _removed, ...left } = setup.config.mcpServers ?? {}
  const text = Object.keys(left).length === 0 ? '' : JSON.stringify(await withKeysKept(left, headers))
  await setConfigValue(setup.folders.configFile, 'mcpServers', text)
  await headers.forget(name)
  await known.programs.withdraw(`mcp:${name}`)
}

/** Starts a server, greets it, lists its tools and ends it again. */
export async function testServer(place: ServersLocation, name: string) {
  const found = await findServers(place)
  const { setup, known, servers } = found
  const startedAt = performance.now()
  return withServer(place, serverNamed(name, servers), found, async ({ server, protocol, tools }) => {
    const ms = Math.round(performance.now() - startedAt)
    const states = reviewStates(name, tools, await known.seen.of(name), setup.config.tools.enabled)
    const listed = states.map(({ tool, enabled }) => {
      return { name: tool.name, title: serverToolTitle(tool), hash: toolHash(tool), enabled }
    })
    return { ok: true, server, protocol, tools: listed, ms }
  })
}

/** Enables the tools the user has just reviewed, in the reviewed form. */
export async function enableServerTools(
  place: ServersLocation,
  server: string,
  wanted: readonly ReviewedTool[],
  { known }: Pick<FoundServers, 'known'>,
): Promise<void> {
  const tools = wanted.map(({ tool }) => tool)
  await known.seen.add(server, tools)
  await switchTools(
    await loadSettings(place),
    serverToolIds(
      server,
      tools.map(({ name }) => name),
    ),
    true,
  )
}

export const serverToolIds = (server: string, tools: readonly string[]): string[] =>
  tools.map((tool) => `${server}/${tool}`)

/** All that a server would run or reach, with everything it is given. */
interface ServerToTrust {
  argv: string[]
  given: [string, string][]
  /** The folder a program runs in. */
  cwd?: string
  /** Identifies what the user approves; it changes with the command or the entry. */
  hash: string
}

export function serverToTrust(name: string, { servers, root }: FoundServers): ServerToTrust & { server: ListedServer } {
  const server = serverNamed(name, servers)
  const program = serverProgram(server, root)
  if (program !== undefined) return { server, ...shownProgram(program) }
  if (server.from === 'settings') {
    throw new Failure('invalid-input', `${name} is a URL in your own settings, so it needs no approval.`)
  }
  return { server, ...describeLaunch(server.setting), hash: server.hash }
}

/** Fetches a server's tool descriptions. */
export async function readToolStates(
  place: ServersLocation,
  name: string,
  found: FoundServers,
): Promise<ReviewedTool[]> {
  const tools = await withServer(place, serverNamed(name, found.servers), found, async (connection) => connection.tools)
  return reviewStates(name, tools, await found.known.seen.of(name), found.setup.config.tools.enabled)
}

export function findToolState(name: string, server: string, states: readonly ReviewedTool[]): ReviewedTool {
  const found = states.find(({ tool }) => tool.name === name)
  if (found !== undefined) return found
  const names = states.map(({ tool }) => tool.name)
  const near = nearestName(name, names)
  throw new Failure('not-found', `${server} has no tool ${name}.`, {
    hint: near ? `Did you mean ${near}?` : `It has ${names.join(', ')}.`,
  })
}

/** Settings to find servers in, with callbacks for problems and for lines of standard error. */
export interface ServersLocation extends SettingsLocation {
  onTrouble(text: string): void
  onLine(server: string, line: string): void
}

interface FoundServers {
  setup: LoadedSettings
  known: ServerApprovals
  headers: StoredHeaders
  /** The vault in use, if there is one. */
  root?: string | undefined
  servers: ListedServer[]
}

/** The servers there are. Works without a vault too. */
export async function findServers(place: ServersLocation): Promise<FoundServers> {
  const setup = await loadSettings(place)
  const known = serverApprovals(setup.folders.state)
  const secrets = await secretsLocation(place, setup)
  const root = secrets.vault
  const servers = await listConfiguredServers({ settings: setup.config, root, known, onTrouble: place.onTrouble })
  return { setup, known, headers: storedHeaders(secretStore(secrets)), root, servers }
}

/** The server in effect under this name. */
function serverNamed(name: string, servers: readonly ListedServer[]): ListedServer {
  const found = servers.find((server) => server.name === name && server.state !== 'hidden')
  if (found !== undefined) return found
  const names = servers.map((server) => server.name)
  const near = nearestName(name, names)
  throw new Failure('not-found', `MCP server not found: ${name}`, {
    hint: near ? `Did you mean ${near}?` : 'To list the servers: notewright mcp-servers list',
  })
}

/** The command or address as written in the settings. Variables are not expanded, since they may hold secrets. */
export function argvOf({ setting }: Pick<ListedServer, 'setting'>): string[] {
  return 'command' in setting ? [setting.command, ...(setting.args ?? [])] : [redactedUrl(setting.url)]
}

/** Starts a server for as long as `use` runs. */
async function withServer<T>(
  { surroundings, onLine, signal }: ServersLocation,
  server: ListedServer,
  { headers, known, root }: FoundServers,
  use: (connection: ServerConnection) => Promise<T>,
): Promise<T> {
  const { name, state, setting } = server
  if (state === 'untrusted' && server.from === 'settings') throw notApproved({ id: `mcp:${name}` })
  if (state === 'untrusted') {
    throw new Failure('needs-approval', `${name} is set in the .mcp.json of this vault and is not trusted yet.`, {
      hint: `To check its command and trust it: notewright mcp-servers trust ${name}`,
    })
  }
  const transport = await openTransport(server, { environment: surroundings.environment, headers, known, root, onLine })
  signal.throwIfAborted()
  const stop = () => void transport.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const connection = await connectServer({ name, transport, version, startMs: setting.timeoutMs })
    try {
      return await use(connection)
    } finally {
      await connection.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
