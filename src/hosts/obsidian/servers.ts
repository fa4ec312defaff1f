import type { App } from 'obsidian'
import type { ApprovalQueue } from '../../core/approval/index.js'
import type { Config, ServerSetting } from '../../core/config/index.js'
import { Failure } from '../../core/errors.js'
import { isRecord } from '../../core/is-record.js'
import {
  type ConfiguredServer,
  connectWithoutSdk,
  httpTransportWithoutSdk,
  isServerNeeded,
  type ListedServer,
  listServers,
  maxVaultServersBytes,
  type Programs,
  parseVaultServers,
  type ReviewedTools,
  redactedUrl,
  type ServerTool,
  type ServerTransport,
  serverAddress,
  serverLaunch,
  stdioTransport,
  type ToolServers,
  type TrustedServer,
  toolServers,
  vaultServersFile,
} from '../../core/mcp/index.js'
import type { Registry } from '../../core/tools/index.js'
import { serverFetch } from './fetch.js'
import type { PluginSettings } from './settings.js'

/** The MCP servers of the plugin's settings, and those configured by the vault. */
export interface PluginServers {
  readonly seen: ReviewedTools
  /** True if programs can be started here. */
  readonly startsPrograms: boolean
  /** Servers configured by the vault, and the entries trusted on this device. */
  known: () => Promise<VaultServerData>
  /** All servers under the current settings. */
  list: (known: VaultServerData) => ListedServer[]
  trust: (entry: TrustedServer) => Promise<void>
  distrust: (server: string) => Promise<void>
  /** Fetches a server's current tools without using them. */
  look: (name: string) => Promise<readonly ServerTool[]>
  /** Starts those of which a tool is on, and waits a little until they are there. */
  start: () => Promise<void>
  /** Applies changed settings: running servers stay, end or restart. Starts nothing if none was running. */
  takeUp: () => Promise<void>
  /** Ends them permanently, and waits until they have ended. */
  stop: () => Promise<void>
}

export interface VaultServerData {
  vault: Record<string, ServerSetting>
  trusted: readonly TrustedServer[]
}

/** Trusted server entries and key recipients, stored on this device. */
export interface TrustStore {
  all: () => Promise<readonly TrustedServer[]>
  add: (entry: TrustedServer) => Promise<void>
  remove: (server: string) => Promise<void>
}

export interface PluginServersSetup {
  app: App
  settings: () => PluginSettings
  /** True if a server of the settings was entered or agreed to on this device. */
  isAgreed: (server: string) => boolean
  config: () => Config
  seen: ReviewedTools
  trusted: TrustStore
  registry: Registry
  approvalQueue: ApprovalQueue
  version: string
  onTrouble: (text: string) => void
  /** Lines that a program writes to its standard error. */
  onLine: (server: string, line: string) => void
}

/** How long a question waits for slow servers. */
const patienceMs = 5000

export function pluginServers(setup: PluginServersSetup): PluginServers {
  const { app, config, seen, trusted, registry, approvalQueue, version, onTrouble } = setup
  const programs = desktopPrograms()
  const fetch = serverFetch()
  const looking = new Set<ServerTransport>()
  let running: ToolServers | undefined
  let isOver = false
  /** One change after the other, so that none starts a server that another has just ended. */
  let queue: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = queue.then(work)
    // The caller gets the failure; the queue continues.
    queue = next.catch(() => undefined)
    return next
  }

  const told = new Set<string>()
  function tellOnce(text: string): void {
    if (!told.has(text)) onTrouble(text)
    told.add(text)
  }
  async function known(): Promise<VaultServerData> {
    const [vault, all] = await Promise.all([broughtBy(app, tellOnce), trusted.all()])
    return { vault, trusted: all }
  }

  const list = (here: VaultServerData): ListedServer[] =>
    listServers({
      settings: config().mcpServers ?? {},
      ...here,
      isOwn: (name, setting) => setup.isAgreed(name) && isHarmless(setting) && !setup.settings().serverSecrets[name],
    })

  async function open({ name, from, setting }: ListedServer): Promise<ServerTransport> {
    if ('command' in setting) {
      if (programs === undefined) throw noPrograms(name)
      return stdioTransport(
        { ...serverLaunch(name, setting, programs), onLine: (line) => setup.onLine(name, line) },
        programs,
      )
    }
    const secret = from === 'settings' ? secretOf(name, setup) : undefined
    const address = await serverAddress(name, setting, {
      environment: programs?.environment ?? {},
      ...(secret && { keptFor: () => ({ Authorization: `Bearer ${secret}` }) }),
    })
    return httpTransportWithoutSdk({ server: name, ...address, fetch })
  }

  const configured = (server: ListedServer): ConfiguredServer => ({
    name: server.name,
    hash: JSON.stringify([server.hash, setup.settings().serverSecrets[server.name]]),
    timeoutMs: server.setting.timeoutMs,
    ...('url' in server.setting && { address: redactedUrl(server.setting.url) }),
    open: () => open(server),
  })

  /** Programs where none can be started are for another device. */
  async function toRun(): Promise<ConfiguredServer[]> {
    const { enabled } = config().tools
    const canRun = ({ setting }: ListedServer) => 'url' in setting || programs !== undefined
    return list(await known())
      .filter((server) => server.state === 'on' && canRun(server) && isServerNeeded(server.name, enabled))
      .map(configured)
  }

  async function begin(): Promise<ToolServers | undefined> {
    const servers = await toRun()
    if (isOver) return undefined
    if (running !== undefined) {
      await running.change(servers)
      return running
    }
    if (servers.length === 0) return undefined
    running = toolServers({
      servers,
      connect: connectWithoutSdk,
      registry,
      seen,
      version,
      onTrouble,
      whereToLook: (server) => `See Settings → Notewright → MCP servers → ${server}.`,
      ask: ({ server, session, message, form }, signal) =>
        approvalQueue.askQuestion({ kind: 'question', session, from: `MCP server ${server}`, message, form }, signal),
    })
    return running
  }

  return {
    seen,
    startsPrograms: programs !== undefined,
    known,
    list,
    trust: trusted.add,
    distrust: trusted.remove,
    async look(name) {
      const server = list(await known()).find((one) => one.name === name && one.state !== 'hidden')
      if (server === undefined) throw new Failure('not-found', `MCP server not found: ${name}`)
      if (server.state === 'untrusted') throw notTrusted(name)
      const transport = await open(server)
      if (isOver) return []
      looking.add(transport)
      try {
        const connection = await connectWithoutSdk({ name, transport, version })
        const { tools } = connection
        await connection.close()
        return tools
      } finally {
        looking.delete(transport)
      }
    },
    // Slow servers do not block other callers.
    start: async () => (await inTurn(begin))?.ready(patienceMs),
    takeUp: () =>
      inTurn(async () => {
        if (running !== undefined && !isOver) await running.change(await toRun())
      }),
    async stop() {
      isOver = true
      await Promise.all([...looking].map((transport) => transport.close()))
      await inTurn(async () => running?.close())
    },
  }
}

/**
 * The settings are in the vault's folder, which may be shared and synced: an entry that runs a program, or receives a
 * key or a variable of this computer's environment, must be trusted on this device.
 */
function isHarmless(setting: ServerSetting): boolean {
  return 'url' in setting && !JSON.stringify(setting).includes('${')
}

/** Servers in `.mcp.json`; none if it cannot be read. */
async function broughtBy({ vault: { adapter } }: App, onTrouble: (text: string) => void) {
  const stat = await adapter.stat(vaultServersFile)
  if (stat?.type !== 'file') return {}
  if (stat.size <= maxVaultServersBytes) return parseVaultServers(await adapter.read(vaultServersFile), onTrouble)
  onTrouble(`${vaultServersFile} of this vault is larger than ${maxVaultServersBytes} bytes, so it was ignored.`)
  return {}
}

function secretOf(name: string, { app, settings }: PluginServersSetup): string | undefined {
  const secret = settings().serverSecrets[name]
  return (secret && app.secretStorage.getSecret(secret)?.trim()) || undefined
}

function noPrograms(server: string): Failure {
  return new Failure('invalid-input', `The MCP server ${server} is a program, which can't be started on this device.`, {
    hint: 'Programs can only be started by Obsidian on a desktop. The entry is kept.',
  })
}

function notTrusted(server: string): Failure {
  return new Failure('needs-approval', `You have not trusted the MCP server ${server} on this device.`, {
    hint: `Check its command under Settings → Notewright → MCP servers → ${server}.`,
  })
}

/** Programs of this machine, and the environment that they could be given. */
export interface DesktopPrograms extends Programs {
  environment: Record<string, string | undefined>
}

/** The part of Node that the desktop app provides. */
interface DesktopNode {
  children: Pick<Programs, 'spawn'>
  process: Pick<Programs, 'kill' | 'platform'> & { env: Record<string, string | undefined> }
}

/** undefined on a phone, and wherever the app has no Node: detected directly, not by platform. */
export function desktopPrograms(): DesktopPrograms | undefined {
  const node = desktopNode()
  if (node === undefined) return undefined
  const { children, process } = node
  return {
    platform: process.platform,
    environment: process.env,
    spawn: (command, args, options) => children.spawn(command, args, options),
    kill: (pid, signal) => process.kill(pid, signal),
    onExit(end) {
      window.addEventListener('pagehide', end)
      return () => window.removeEventListener('pagehide', end)
    },
  }
}

function desktopNode(): DesktopNode | undefined {
  const { require: load } = window as { require?: unknown }
  if (typeof load !== 'function') return undefined
  try {
    const [children, process] = ['child_process', 'process'].map((name) => (load as (name: string) => unknown)(name))
    const isThere =
      isRecord(children) && typeof children.spawn === 'function' && isRecord(process) && isRecord(process.env)
    return isThere ? ({ children, process } as unknown as DesktopNode) : undefined
  } catch {
    return undefined
  }
}
