import { type ServerSetting, serverSettings } from '../../../../core/config/index.js'
import { Failure } from '../../../../core/errors.js'
import {
  type HttpSetting,
  type ListedServer,
  shownUrl,
  titleOf,
  toolHash,
  whatItRuns,
} from '../../../../core/mcp/index.js'
import { setConfigValue } from '../../config/index.js'
import type { KeptHeaders } from '../../mcp/index.js'
import { readSetup } from '../read-setup.js'
import { switchTools } from '../switch-tools.js'
import { argvOf, type FoundServers, findServers, type ServersPlace, serverNamed } from './find-servers.js'
import { type ToolState, toolStates } from './tool-states.js'
import { withServer } from './with-server.js'

/** A server as it would be started. Values of variables and headers may be secrets: their names are told. */
export async function serverRow(server: ListedServer, kept: KeptHeaders) {
  const { name, from, state, setting } = server
  const how =
    'command' in setting
      ? { type: 'stdio', command: setting.command, args: setting.args ?? [], env: Object.keys(setting.env ?? {}) }
      : { type: 'http', url: shownUrl(setting.url), headers: await headerNames(server, setting, kept) }
  return { name, from, state, ...how, ...(setting.timeoutMs && { timeoutMs: setting.timeoutMs }) }
}

async function headerNames(
  { name, from }: ListedServer,
  { url, headers = {} }: HttpSetting,
  kept: KeptHeaders,
): Promise<string[]> {
  const secret = from === 'settings' && URL.canParse(url) ? await kept.of(name, url) : {}
  return Object.keys({ ...headers, ...secret })
}

export type NewServer = { name: string } & (NewProgram | { url: string; headers?: Record<string, string> })

interface NewProgram {
  command: string
  args: readonly string[]
  env?: Record<string, string>
}

export interface AddedServer {
  path: string
  /** Names of headers that are kept with the person's keys. */
  kept: string[]
  /** As it may be shown. */
  argv: string[]
}

/** Adds a server to the person's settings. Nothing is started. */
export async function addServer(place: ServersPlace, { name, ...server }: NewServer): Promise<AddedServer> {
  const { setup, headers } = await findServers(place)
  const { configFile } = setup.folders
  const servers = setup.config.mcpServers ?? {}
  if (Object.hasOwn(servers, name)) {
    throw new Failure('conflict', `There is already an MCP server ${name}.`, {
      hint: `Remove it first: notewright mcp-servers remove ${name}`,
    })
  }
  const { setting, secret } = 'url' in server ? withoutSecrets(server) : { setting: programOf(server), secret: {} }
  checkSetting(name, setting)
  const kept = Object.keys(secret)
  if ('url' in server && kept.length > 0) await headers.keep(name, server.url, secret)
  await setConfigValue(configFile, 'mcpServers', JSON.stringify({ ...servers, [name]: setting }))
  return { path: configFile, kept, argv: argvOf({ setting }) }
}

const programOf = ({ args, ...rest }: NewProgram): ServerSetting => ({
  ...rest,
  args: [...args],
})

/** A variable's name may be read by everyone; any other header is kept apart. */
function withoutSecrets({ url, headers = {} }: { url: string; headers?: Record<string, string> }): {
  setting: ServerSetting
  secret: Record<string, string>
} {
  const isOpen = ([, value]: [string, string]) => value.includes('${')
  const all = Object.entries(headers)
  all.forEach(checkHeader)
  const written = all.filter(isOpen)
  const secret = all.filter((each) => !isOpen(each))
  return {
    setting: { type: 'http', url, ...(written.length > 0 && { headers: Object.fromEntries(written) }) },
    secret: Object.fromEntries(secret),
  }
}

/** What was typed may be a key: it is not repeated. */
function checkHeader([name, value]: [string, string]): void {
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\x20-\x7e]*[\x21-\x7e]$/.test(value)) return
  throw new Failure('invalid-input', 'A header has a name and a value, both in plain letters, digits and signs.', {
    hint: 'Authorization, for example, and Bearer with the key behind it.',
  })
}

function checkSetting(name: string, setting: ServerSetting): void {
  if (!serverSettings.safeParse({ [name]: { command: 'x' } }).success) {
    throw new Failure('invalid-input', `Not a name for a server: ${name}`, {
      hint: 'Letters, digits, ., - and _, at most 40.',
    })
  }
  if (!serverSettings.safeParse({ [name]: setting }).success) {
    throw new Failure('invalid-input', 'Not a program and not a web address.', {
      hint: 'Write an address like https://example.org/mcp',
    })
  }
}

export async function removeServer(place: ServersPlace, name: string): Promise<void> {
  const { setup, servers, headers } = await findServers(place)
  if (serverNamed(name, servers).from === 'vault') {
    throw new Failure('invalid-input', `${name} stands in the .mcp.json of this vault, not in your settings.`, {
      hint: 'Take it out of that file.',
    })
  }
  const { [name]: _removed, ...left } = setup.config.mcpServers ?? {}
  const text = Object.keys(left).length === 0 ? '' : JSON.stringify(left)
  await setConfigValue(setup.folders.configFile, 'mcpServers', text)
  await headers.forget(name)
}

/** Starts a server, greets it, lists its tools and ends it again. */
export async function testServer(place: ServersPlace, name: string) {
  const { setup, known, headers, servers } = await findServers(place)
  const startedAt = performance.now()
  return withServer(place, serverNamed(name, servers), headers, async ({ server, protocol, tools }) => {
    const ms = Math.round(performance.now() - startedAt)
    const states = toolStates(name, tools, await known.seen.of(name), setup.config)
    const listed = states.map(({ tool, enabled }) => {
      return { name: tool.name, title: titleOf(tool), hash: toolHash(tool), enabled }
    })
    return { ok: true, server, protocol, tools: listed, ms }
  })
}

/** Switches on what the person has just looked at, as it was then. */
export async function enableServerTools(
  place: ServersPlace,
  server: string,
  wanted: readonly ToolState[],
  { known }: Pick<FoundServers, 'known'>,
): Promise<void> {
  const tools = wanted.map(({ tool }) => tool)
  await known.seen.add(server, tools)
  await switchTools(
    await readSetup(place),
    serverToolIds(
      server,
      tools.map(({ name }) => name),
    ),
    true,
  )
}

export const serverToolIds = (server: string, tools: readonly string[]): string[] =>
  tools.map((tool) => `${server}/${tool}`)

/** What a server of the vault would run, with everything it is given. */
export interface ServerToTrust {
  server: ListedServer
  argv: string[]
  given: [string, string][]
}

export function serverToTrust(name: string, servers: readonly ListedServer[]): ServerToTrust {
  const server = serverNamed(name, servers)
  if (server.from === 'settings') {
    throw new Failure('invalid-input', `${name} stands in your own settings, so it is trusted already.`)
  }
  return { server, ...whatItRuns(server.setting) }
}
