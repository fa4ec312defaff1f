import { type ServerSetting, serverSettings } from '../config/index.js'
import { Failure } from '../errors.js'
import { isRecord } from '../is-record.js'
import { isLocalNetwork } from '../providers/index.js'
import { mayBeOffered } from '../tools/index.js'
import type { StdioLaunch } from './stdio-transport.js'

/** The file in which a vault configures servers, as other programs use it in a project. */
export const vaultServersFile = '.mcp.json'

/** Maximum size of that file. */
export const maxVaultServersBytes = 256 << 10

/** Reads the servers of a vault. They may come from a stranger: none runs before the user trusts it. */
export function parseVaultServers(text: string, onTrouble: (text: string) => void): Record<string, ServerSetting> {
  const servers = serversIn(text)
  if (servers === undefined)
    onTrouble(`${vaultServersFile} of this vault is not a valid list of MCP servers, so it was ignored.`)
  return servers ?? {}
}

function serversIn(text: string): Record<string, ServerSetting> | undefined {
  try {
    const tree: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    const parsed = serverSettings.safeParse(isRecord(tree) ? (tree.mcpServers ?? {}) : undefined)
    return parsed.success ? parsed.data : undefined
  } catch {
    // Not JSON: the caller reports it.
    return undefined
  }
}

type ProgramSetting = Extract<ServerSetting, { command: string }>

/** The program of a server as it is started, with environment variables expanded. */
export function serverLaunch(
  name: string,
  { command, args = [], env = {}, cwd }: ProgramSetting,
  { environment, platform }: { environment: Record<string, string | undefined>; platform: string },
): StdioLaunch {
  const expand = (text: string) => expandVariables(text, environment, `The MCP server ${name}`)
  const configured = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, expand(value)]))
  return {
    server: name,
    command: expand(command),
    args: args.map(expand),
    environment: childEnvironment(environment, platform, configured),
    ...(cwd !== undefined && { cwd: expand(cwd) }),
  }
}

/** Variables that a program needs to find other programs, its home and its language. Our API keys are not included. */
const inheritedVariables = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TMP', 'TEMP']
const inheritedVariablesOnWindows = [
  'PATH',
  'PATHEXT',
  'SYSTEMROOT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'TEMP',
  'TMP',
]

/** The environment of a server: the few variables every program needs, and those configured for it. */
function childEnvironment(
  environment: Record<string, string | undefined>,
  platform: string,
  configured: Record<string, string> = {},
): Record<string, string> {
  const own: Record<string, string> = {}
  for (const name of platform === 'win32' ? inheritedVariablesOnWindows : inheritedVariables) {
    const value = environment[name]
    if (value !== undefined) own[name] = value
  }
  return { ...own, ...configured }
}

export type HttpSetting = Extract<ServerSetting, { url: string }>

interface AddressOptions {
  environment: Record<string, string | undefined>
  /** Headers stored outside the settings for this address. */
  keptFor?: (url: string) => Record<string, string> | Promise<Record<string, string>>
}

/** The address and headers of a server, with environment variables expanded and stored headers added. */
export async function serverAddress(
  name: string,
  setting: HttpSetting,
  { environment, keptFor }: AddressOptions,
): Promise<{ url: string; headers: Record<string, string> }> {
  const expand = (text: string) => expandVariables(text, environment, `The MCP server ${name}`)
  const url = checkAddress(name, expand(setting.url))
  const written = Object.entries(setting.headers ?? {}).map(([header, value]) => [header, expand(value)])
  const headers = { ...Object.fromEntries(written), ...(await keptFor?.(url)) } as Record<string, string>
  if (Object.keys(headers).length > 0 && !url.startsWith('https:') && !isLocalNetwork(url)) {
    throw new Failure('denied', `The headers for the MCP server ${name} would be sent without encryption.`, {
      hint: 'Use its https address.',
    })
  }
  return { url, headers }
}

const secretName =
  /(?:^|[-_.])(?:key|api[-_]?key|token|secret|password|passwd|pwd|auth|sig|signature|code)$|(?:key|token|secret)$/i

/** Separates the API keys in the query from an address. Environment variables stay in the address. */
export function withoutKeys(url: string): { url: string; keys: Record<string, string> } {
  const [, base = url, query, fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(url) ?? []
  if (query === undefined) return { url, keys: {} }
  const parts = query.split('&').map((part) => ({ part, entry: queryEntry(part) }))
  const isKey = ({ part, entry }: (typeof parts)[number]) =>
    entry !== undefined && entry[1] !== '' && secretName.test(entry[0]) && !part.includes('${')
  const rest = parts.filter((each) => !isKey(each)).map(({ part }) => part)
  const keys = Object.fromEntries(parts.filter(isKey).flatMap(({ entry }) => (entry === undefined ? [] : [entry])))
  return { url: `${base}${rest.length > 0 ? `?${rest.join('&')}` : ''}${fragment}`, keys }
}

/** The decoded `name=value`; undefined when it is malformed. */
function queryEntry(part: string): [string, string] | undefined {
  const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? []
  try {
    const [key, text] = [name, value].map((encoded) => decodeURIComponent(encoded.replaceAll('+', ' ')))
    return [key ?? '', text ?? '']
  } catch {
    // A malformed percent sequence is no key: it stays in the address.
    return undefined
  }
}

/** Puts the API keys back into an address. */
export function withKeys(url: string, keys: Readonly<Record<string, string>>): string {
  const whole = new URL(url)
  for (const [name, value] of Object.entries(keys)) whole.searchParams.set(name, value)
  return whole.href
}

/** The address without its query, which may hold secrets. */
export function redactedUrl(url: string): string {
  return url.replace(/\?[\s\S]*$/, '?…')
}

function checkAddress(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url.href
  throw new Failure('invalid-input', `The address of the MCP server ${name} is not valid.`, {
    hint: 'Write it like https://example.org/mcp. Put user names, passwords and keys into the headers.',
  })
}

/** Expands `${NAME}` and `${NAME:-default}`, the syntax of other programs. */
function expandVariables(text: string, environment: Record<string, string | undefined>, where: string): string {
  return text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_whole, name: string, fallback?: string) => {
    const value = environment[name] || fallback
    if (value !== undefined) return value
    throw new Failure('invalid-input', `${where} needs the environment variable ${name}, which is not set.`, {
      hint: `Set ${name}, or write its value into the settings.`,
    })
  })
}

/** Everything a server would run or reach and is given, unredacted: a secret in a vault is not the user's. */
export interface ServerLaunch {
  argv: string[]
  /** Variables or headers. */
  given: [string, string][]
  /** The folder a program runs in. */
  cwd?: string
}

export function describeLaunch(setting: ServerSetting): ServerLaunch {
  if ('url' in setting) return { argv: [setting.url], given: Object.entries(setting.headers ?? {}) }
  const { command, args = [], env = {}, cwd } = setting
  return { argv: [command, ...args], given: Object.entries(env), ...(cwd !== undefined && { cwd }) }
}

/** The enabled tools that may belong to the server. */
export function enabledToolsOf(server: string, enabled: readonly string[] = []): string[] {
  return enabled.filter(
    (id) => id.startsWith(`${server}/`) || id.startsWith(`mcp_${server}_`) || mayBeOffered(id, server),
  )
}

/** A server without enabled tools is not started. */
export function isServerNeeded(server: string, enabled?: readonly string[]): boolean {
  return enabledToolsOf(server, enabled).length > 0
}
