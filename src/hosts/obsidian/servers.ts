import type { App } from 'obsidian'
import type { ApprovalDesk } from '../../core/approval/index.js'
import type { Config, ServerSetting } from '../../core/config/index.js'
import { Failure } from '../../core/errors.js'
import {
  type ConfiguredServer,
  isWanted,
  type ListedServer,
  listServers,
  plainConnection,
  plainHttp,
  type SeenTools,
  type ServerTool,
  type ServerTransport,
  serverAddress,
  serverLaunch,
  shownUrl,
  stdioTransport,
  type ToolServers,
  type TrustedServer,
  toolServers,
  vaultServers,
  vaultServersBytes,
  vaultServersFile,
} from '../../core/mcp/index.js'
import type { Registry } from '../../core/tools/index.js'
import { desktopPrograms } from './desktop-programs.js'
import { serverFetch } from './server-fetch.js'
import type { PluginSettings } from './settings.js'

/** The MCP servers of the plugin's settings, and those that the vault brings along. */
export interface PluginServers {
  readonly seen: SeenTools
  /** Whether servers that are programs can be started here. */
  readonly startsPrograms: boolean
  /** What the vault brings along, and which entries the person has trusted on this device. */
  known: () => Promise<KnownHere>
  /** All of them, as the settings are at this moment. */
  list: (known: KnownHere) => ListedServer[]
  trust: (entry: TrustedServer) => Promise<void>
  distrust: (server: string) => Promise<void>
  /** What a server says of its tools at this moment. Nothing of it is used. */
  look: (name: string) => Promise<readonly ServerTool[]>
  /** Starts those of which a tool is on, and waits a little until they are there. */
  start: () => Promise<void>
  /** The settings have changed: those that were started go on, end or are started anew. Starts nothing where none was. */
  takeUp: () => Promise<void>
  /** Ends them for good, and waits until they have. */
  stop: () => Promise<void>
}

export interface KnownHere {
  vault: Record<string, ServerSetting>
  trusted: readonly TrustedServer[]
}

/** What was trusted, kept on this device: entries of servers, and addresses that get keys. */
export interface TrustStore {
  all: () => Promise<readonly TrustedServer[]>
  add: (entry: TrustedServer) => Promise<void>
  remove: (server: string) => Promise<void>
}

export interface PluginServersSetup {
  app: App
  settings: () => PluginSettings
  config: () => Config
  seen: SeenTools
  trusted: TrustStore
  registry: Registry
  desk: ApprovalDesk
  version: string
  onTrouble: (text: string) => void
  /** Lines that a program writes to its standard error. */
  onLine: (server: string, line: string) => void
}

/** How long a question waits for servers that are slow to come. */
const patienceMs = 5000

export function pluginServers(setup: PluginServersSetup): PluginServers {
  const { app, config, seen, trusted, registry, desk, version, onTrouble } = setup
  const programs = desktopPrograms()
  const fetch = serverFetch()
  const looking = new Set<ServerTransport>()
  let running: ToolServers | undefined
  let isOver = false
  /** One change after the other, so that none starts what another has just ended. */
  let queue: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = queue.then(work)
    queue = next.catch(() => undefined)
    return next
  }

  const told = new Set<string>()
  function tellOnce(text: string): void {
    if (!told.has(text)) onTrouble(text)
    told.add(text)
  }
  async function known(): Promise<KnownHere> {
    const [vault, all] = await Promise.all([broughtBy(app, tellOnce), trusted.all()])
    return { vault, trusted: all }
  }

  const list = (here: KnownHere): ListedServer[] =>
    listServers({
      settings: config().mcpServers ?? {},
      ...here,
      isOwn: (name, setting) => isHarmless(setting) && !setup.settings().serverSecrets[name],
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
    return plainHttp({ server: name, ...address, fetch })
  }

  const configured = (server: ListedServer): ConfiguredServer => ({
    name: server.name,
    hash: JSON.stringify([server.hash, setup.settings().serverSecrets[server.name]]),
    timeoutMs: server.setting.timeoutMs,
    ...('url' in server.setting && { address: shownUrl(server.setting.url) }),
    open: () => open(server),
  })

  /** Programs where none can be started are for another device. */
  async function toRun(): Promise<ConfiguredServer[]> {
    const { enabled } = config().tools
    const canRun = ({ setting }: ListedServer) => 'url' in setting || programs !== undefined
    return list(await known())
      .filter((server) => server.state === 'on' && canRun(server) && isWanted(server.name, enabled))
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
      connect: plainConnection,
      registry,
      seen,
      version,
      onTrouble,
      whereToLook: (server) => `Look at it under Settings → Notewright → MCP servers → ${server}.`,
      ask: ({ server, session, message, form }, signal) =>
        desk.askQuestion({ kind: 'question', session, from: `MCP server ${server}`, message, form }, signal),
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
      if (server === undefined) throw new Failure('not-found', `There is no MCP server ${name}.`)
      if (server.state === 'untrusted') throw notTrusted(name)
      const transport = await open(server)
      if (isOver) return []
      looking.add(transport)
      try {
        const connection = await plainConnection({ name, transport, version })
        const { tools } = connection
        await connection.close()
        return tools
      } finally {
        looking.delete(transport)
      }
    },
    // Nobody else has to wait for those that are slow.
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
 * The settings lie in the vault's folder, which may be shared and synced: what runs a program, or is given a key or
 * something of this machine's environment, has to be trusted on this device, whoever wrote it there.
 */
function isHarmless(setting: ServerSetting): boolean {
  return 'url' in setting && !JSON.stringify(setting).includes('${')
}

/** What `.mcp.json` names; nothing where it cannot be read. */
async function broughtBy({ vault: { adapter } }: App, onTrouble: (text: string) => void) {
  const stat = await adapter.stat(vaultServersFile)
  if (stat?.type !== 'file') return {}
  if (stat.size <= vaultServersBytes) return vaultServers(await adapter.read(vaultServersFile), onTrouble)
  onTrouble(`${vaultServersFile} of this vault has more than ${vaultServersBytes} bytes, so it was left out.`)
  return {}
}

function secretOf(name: string, { app, settings }: PluginServersSetup): string | undefined {
  const secret = settings().serverSecrets[name]
  return (secret && app.secretStorage.getSecret(secret)?.trim()) || undefined
}

function noPrograms(server: string): Failure {
  return new Failure('invalid-input', `The MCP server ${server} is a program, and none can be started here.`, {
    hint: 'That takes Obsidian on a desktop. The entry is kept.',
  })
}

function notTrusted(server: string): Failure {
  return new Failure('needs-approval', `You have not trusted the MCP server ${server} on this device.`, {
    hint: `See what it would run under Settings → Notewright → MCP servers → ${server}.`,
  })
}
