import type { SpawnOptionsWithoutStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ApprovalQueue } from '../../core/approval/index.js'
import { canonicalJson } from '../../core/approval/index.js'
import type { Config, ServerSetting } from '../../core/config/index.js'
import { Failure } from '../../core/errors.js'
import { isRecord } from '../../core/is-record.js'
import type {
  ConfiguredServer,
  HttpSetting,
  ListedServer,
  Programs,
  ReviewedTools,
  ServerTool,
  ServerTransport,
  ToolServers,
  TrustedServer,
} from '../../core/mcp/index.js'
import {
  connectServer,
  httpTransport,
  isServerNeeded,
  listServers as listed,
  maxVaultServersBytes,
  parseVaultServers,
  redactedUrl,
  serverAddress,
  serverLaunch,
  stdioTransport,
  toolServers,
  vaultServersFile,
  withKeys,
  withoutKeys,
} from '../../core/mcp/index.js'
import type { Registry } from '../../core/tools/index.js'
import { hashBytes } from '../../core/vault/index.js'
import type { ApprovedPrograms, ProgramStart } from './approved-programs.js'
import { approvedPrograms, notApproved } from './approved-programs.js'
import type { SecretStore } from './keys.js'
import { userState, usingDatabase } from './state-database.js'
import { version } from './version.js'

export interface StartServersOptions extends ServerSources, TransportOptions {
  settings: ServerSources['settings'] & { tools: { enabled?: readonly string[] | undefined } }
  registry: Registry
  approvalQueue: ApprovalQueue
}

export async function startServers(setup: StartServersOptions): Promise<ToolServers> {
  const { registry, known, approvalQueue, onTrouble } = setup
  return toolServers({
    servers: await serversToRun(setup),
    connect: connectServer,
    registry,
    seen: known.seen,
    version,
    onTrouble,
    ...(approvalQueue.canAsk && {
      ask: ({ server, session, message, form }, signal) =>
        approvalQueue.askQuestion({ kind: 'question', session, from: `MCP server ${server}`, message, form }, signal),
    }),
  })
}

/** The servers that may be started and have at least one enabled tool. */
export async function serversToRun(
  setup: Omit<StartServersOptions, 'registry' | 'approvalQueue'>,
): Promise<ConfiguredServer[]> {
  const { settings } = setup
  const wanted = settings.tools.enabled ?? []
  const listed = wanted.length === 0 ? [] : await listConfiguredServers(setup)
  const isBlocked = ({ name, from, state }: ListedServer) =>
    from === 'settings' && state === 'untrusted' && isServerNeeded(name, wanted)
  for (const { name } of listed.filter(isBlocked)) {
    const { message, details } = notApproved({ id: `mcp:${name}` })
    setup.onTrouble(`${message} ${details.hint}`)
  }
  const toRun = listed.filter(({ name, state }) => state === 'on' && isServerNeeded(name, wanted))
  return Promise.all(
    toRun.map(
      async (server): Promise<ConfiguredServer> => ({
        name: server.name,
        hash: await serverHash(server, setup),
        timeoutMs: server.setting.timeoutMs,
        ...('url' in server.setting && { address: redactedUrl(server.setting.url) }),
        open: () => openTransport(server, setup),
      }),
    ),
  )
}

/** Hash of the entry and of its separately stored headers. */
async function serverHash(server: ListedServer, setup: HeaderSources): Promise<string> {
  const { setting, hash } = server
  if (!('url' in setting)) return hash
  // A broken entry is reported when it is used.
  const address = await httpAddress(server, setting, setup).catch(() => undefined)
  return hashBytes(new TextEncoder().encode(canonicalJson([hash, address])))
}

export interface TransportOptions extends HeaderSources {
  known: ServerApprovals
  /** Real path of the vault's folder, if there is one. */
  root?: string | undefined
  /** Lines of a server's standard error. */
  onLine?: ((server: string, line: string) => void) | undefined
}

/** Creates a transport to a server. Nothing is started yet, and an unapproved program never is. */
export async function openTransport(
  server: Pick<ListedServer, 'name' | 'from' | 'setting'>,
  surroundings: TransportOptions,
): Promise<ServerTransport> {
  const { name, setting } = server
  const { environment, known, root, onLine } = surroundings
  if ('url' in setting) {
    return httpTransport({ server: name, fetch, ...(await httpAddress(server, setting, surroundings)) })
  }
  // `!`: a server without an address is a program.
  const program = serverProgram(server, root)!
  await known.programs.require(program)
  const launch = serverLaunch(name, setting, { environment, platform: process.platform })
  return stdioTransport(
    { ...launch, cwd: program.cwd, ...(onLine && { onLine: (line: string) => onLine(name, line) }) },
    nodePrograms,
  )
}

export interface ServerSources {
  settings: Pick<Config, 'mcpServers'>
  /** Real path of the vault's folder, if there is one. */
  root?: string | undefined
  known: ServerApprovals
  onTrouble(text: string): void
}

/** All servers of the settings and of the vault. Starts none. A program that was not approved is `untrusted`. */
export async function listConfiguredServers({
  settings,
  root,
  known,
  onTrouble,
}: ServerSources): Promise<ListedServer[]> {
  const servers = listed({
    settings: settings.mcpServers ?? {},
    vault: root === undefined ? {} : await readVaultServers(root, onTrouble),
    trusted: root === undefined ? [] : await known.trusted(root),
  })
  return Promise.all(
    servers.map(async (server) => {
      const program = serverProgram(server, root)
      const isBlocked = server.state === 'on' && program && !(await known.programs.isApproved(program))
      return isBlocked ? { ...server, state: 'untrusted' as const } : server
    }),
  )
}

/**
 * A server's program as it would be started; undefined for one at an address. It runs in its `cwd`, else in the folder
 * of the vault that names it, else in the home folder: never in the folder Notewright was started in.
 */
export function serverProgram(
  { name, from, setting }: Pick<ListedServer, 'name' | 'from' | 'setting'>,
  root?: string,
): ProgramStart | undefined {
  if (!('command' in setting)) return undefined
  const { command, args = [], env = {}, cwd = '' } = setting
  const base = from === 'vault' && root !== undefined ? root : homedir()
  return { id: `mcp:${name}`, argv: [command, ...args], cwd: resolve(base, cwd), env }
}

/** The user has seen all that this entry would run or reach, and agrees to it. */
export async function trustServer(server: ListedServer, known: ServerApprovals, root?: string): Promise<void> {
  const program = serverProgram(server, root)
  if (program !== undefined) await known.programs.approve(program)
  if (server.from === 'vault' && root !== undefined) await known.trust(root, server.name, server.hash)
}

/** Tools the user has reviewed and servers they trust, stored outside of every vault. */
export interface ServerApprovals {
  seen: ReviewedTools
  /** Commands that may be started. */
  programs: ApprovedPrograms
  /** The entries of that vault's file that were trusted, as they were then. */
  trusted(vault: string): Promise<TrustedServer[]>
  trust(vault: string, server: string, hash: string): Promise<void>
}

export function serverApprovals(stateFolder: string): ServerApprovals {
  const state = userState(stateFolder)
  return {
    programs: approvedPrograms(stateFolder),
    seen: {
      async of(server) {
        const rows = usingDatabase(state, () =>
          state.look((driver) =>
            driver.all('SELECT name, tool FROM seen_tools WHERE server = ? ORDER BY rowid', [server]),
          ),
        )
        return new Map((rows ?? []).map(([name, tool]) => [String(name), JSON.parse(String(tool)) as ServerTool]))
      },
      async add(server, tools) {
        usingDatabase(state, () =>
          state.change((driver) => {
            for (const tool of tools) {
              driver.run('INSERT OR REPLACE INTO seen_tools (server, name, tool) VALUES (?, ?, ?)', [
                server,
                tool.name,
                JSON.stringify(tool),
              ])
            }
          }),
        )
      },
    },
    async trusted(vault) {
      const rows = usingDatabase(state, () =>
        state.look((driver) =>
          driver.all('SELECT server, hash FROM trusted_servers WHERE vault = ? ORDER BY rowid', [vault]),
        ),
      )
      return (rows ?? []).map(([server, hash]) => ({ server: String(server), hash: String(hash) }))
    },
    async trust(vault, server, hash) {
      usingDatabase(state, () =>
        state.change((driver) =>
          driver.run('INSERT OR REPLACE INTO trusted_servers (vault, server, hash) VALUES (?, ?, ?)', [
            vault,
            server,
            hash,
          ]),
        ),
      )
    },
  }
}

/** The servers configured in a vault's folder. */
export async function readVaultServers(
  root: string,
  onTrouble: (text: string) => void,
): Promise<Record<string, ServerSetting>> {
  const text = await readText(join(root, vaultServersFile)).catch((error: Error) => {
    onTrouble(`Can't read ${vaultServersFile} of this vault, so its servers are not available (${error.message}).`)
    return undefined
  })
  return text === undefined ? {} : parseVaultServers(text, onTrouble)
}

async function readText(path: string): Promise<string | undefined> {
  // A link could lead anywhere, and a pipe would never end.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error('it is not a regular file')
    if (stat.size > maxVaultServersBytes) throw new Error(`it has more than ${maxVaultServersBytes} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

export interface HeaderSources {
  environment: Record<string, string | undefined>
  headers: StoredHeaders
}

/** The URL and headers of a server, with its stored secrets if it comes from the settings. */
export async function httpAddress(
  { name, from }: Pick<ListedServer, 'name' | 'from'>,
  setting: HttpSetting,
  { environment, headers }: HeaderSources,
): Promise<{ url: string; headers: Record<string, string> }> {
  if (from !== 'settings') return serverAddress(name, setting, { environment })
  const address = await serverAddress(name, setting, { environment, keptFor: (url) => headers.of(name, url) })
  const keys = await headers.keysOf(name, address.url)
  return Object.keys(keys).length === 0 ? address : { ...address, url: withKeys(address.url, keys) }
}

/**
 * Headers and keys for a server, stored with the user's API keys. They are sent only to the address they were given
 * for.
 */
export interface StoredHeaders {
  of(server: string, url: string): Promise<Record<string, string>>
  /** Keys that belong into the query of its address. */
  keysOf(server: string, url: string): Promise<Record<string, string>>
  keep(
    server: string,
    url: string,
    headers: Record<string, string>,
    keys?: Readonly<Record<string, string>>,
  ): Promise<void>
  forget(server: string): Promise<void>
}

export function storedHeaders(secrets: SecretStore): StoredHeaders {
  const nameOf = (server: string) => `mcp-${server}`
  const read = async (server: string, url: string, field: 'headers' | 'keys') => {
    const kept = await secrets.read(nameOf(server))
    return kept === undefined ? {} : storedTexts(kept.text, server, url, field)
  }
  return {
    of: (server, url) => read(server, url, 'headers'),
    keysOf: (server, url) => read(server, url, 'keys'),
    async keep(server, url, headers, keys = {}) {
      await secrets.write(nameOf(server), JSON.stringify({ server, origin: originOf(url), headers, keys }))
    },
    async forget(server) {
      await secrets.remove(nameOf(server))
    },
  }
}

/** On some systems `Wiki` and `wiki` are one file: its content names its owner. */
function storedTexts(text: string, server: string, url: string, field: 'headers' | 'keys'): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(text)
    if (!isRecord(kept) || kept.server !== server || kept.origin !== originOf(url)) return {}
    return isRecord(kept[field]) ? (kept[field] as Record<string, string>) : {}
  } catch {
    return {}
  }
}

function originOf(url: string): string {
  if (URL.canParse(url)) return new URL(url).origin
  throw new Failure('invalid-input', 'Not a web address.', { hint: 'For example: https://example.org/mcp' })
}

/** Secrets that are sent to servers as headers or in their address. They must never appear in a log. */
export async function serverSecrets(places: Omit<ServerSources, 'onTrouble'> & HeaderSources): Promise<string[]> {
  const listed = await listConfiguredServers({ ...places, onTrouble: () => {} })
  const found = await Promise.all(
    listed.map(async (server) => {
      const { setting, state } = server
      if (state !== 'on' || !('url' in setting)) return []
      // A broken entry is reported when it is used.
      const address = await httpAddress(server, setting, places).catch(() => undefined)
      const keys = address === undefined ? [] : Object.values(withoutKeys(address.url).keys)
      return [...Object.values(address?.headers ?? {}).flatMap(withoutScheme), ...keys]
    }),
  )
  return found.flat()
}

/** `Bearer KEY` is a secret, and so is KEY. */
function withoutScheme(value: string): string[] {
  const key = value.slice(value.lastIndexOf(' ') + 1)
  return [value, ...(key.length >= 6 && key !== value ? [key] : [])]
}

/** Programs as Node starts them. */
export const nodePrograms: Programs = {
  platform: process.platform,
  // The types of `spawn` depend on which streams are pipes.
  spawn: (command, args, options) => spawn(command, args, options as SpawnOptionsWithoutStdio),
  kill: (pid, signal) => void process.kill(pid, signal),
  onExit(end) {
    process.once('exit', end)
    return () => process.off('exit', end)
  },
}
