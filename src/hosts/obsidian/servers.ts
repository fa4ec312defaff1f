import type { App } from 'obsidian'
import type { ApprovalDesk } from '../../core/approval/index.js'
import type { Config, ServerSetting } from '../../core/config/index.js'
import { Failure } from '../../core/errors.js'
import {
  type ConfiguredServer,
  plainConnection,
  plainHttp,
  type SeenTools,
  type ServerTool,
  type ServerTransport,
  type ToolServers,
  toolServers,
} from '../../core/mcp/index.js'
import { isNearby } from '../../core/providers/index.js'
import { mayBeOffered, type Registry } from '../../core/tools/index.js'
import { obsidianFetch } from './fetch.js'
import type { PluginSettings } from './settings.js'

/** The MCP servers of the plugin's settings. Those that are programs are not started from Obsidian. */
export interface PluginServers {
  readonly seen: SeenTools
  /** What a server says of its tools at this moment. Nothing of it is used. */
  look: (name: string) => Promise<readonly ServerTool[]>
  /** Starts those of which a tool is on, and waits a little until they are there. */
  start: () => Promise<void>
  /** Ends them, and waits until they have. */
  stop: () => Promise<void>
}

export interface PluginServersSetup {
  app: App
  settings: () => PluginSettings
  config: () => Config
  seen: SeenTools
  registry: Registry
  desk: ApprovalDesk
  version: string
  onTrouble: (text: string) => void
}

/** How long a question waits for servers that are slow to come. */
const patienceMs = 5000

export function pluginServers(setup: PluginServersSetup): PluginServers {
  const { config, seen, registry, desk, version, onTrouble } = setup
  const fetch = serverFetch()
  let running: ToolServers | undefined

  const open = (name: string, setting: ServerSetting) => transportTo(name, setting, secretOf(name, setup), fetch)

  function wanted(): [string, ServerSetting][] {
    const { mcpServers = {}, tools } = config()
    const isOn = (name: string) =>
      (tools.enabled ?? []).some(
        (id) => id.startsWith(`${name}/`) || id.startsWith(`mcp_${name}_`) || mayBeOffered(id, name),
      )
    return Object.entries(mcpServers).filter(([name, setting]) => 'url' in setting && !setting.disabled && isOn(name))
  }

  const configured = ([name, setting]: [string, ServerSetting]): ConfiguredServer => ({
    name,
    hash: JSON.stringify([setting, setup.settings().serverSecrets[name]]),
    timeoutMs: setting.timeoutMs,
    ...('url' in setting && { address: shownUrl(setting.url) }),
    open: () => open(name, setting),
  })

  async function stop(): Promise<void> {
    const ended = running
    running = undefined
    await ended?.close()
  }

  return {
    seen,
    async look(name) {
      const setting = config().mcpServers?.[name]
      if (setting === undefined) throw new Failure('not-found', `There is no MCP server ${name}.`)
      const connection = await plainConnection({ name, transport: open(name, setting), version })
      try {
        return connection.tools
      } finally {
        await connection.close()
      }
    },
    async start() {
      const servers = wanted().map(configured)
      if (running !== undefined) return running.change(servers)
      if (servers.length === 0) return
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
      await running.ready(patienceMs)
    },
    stop,
  }
}

/** An address without what may be secret in it. */
const shownUrl = (url: string): string => url.replace(/\?[\s\S]*$/, '?…')

function secretOf(name: string, { app, settings }: PluginServersSetup): string | undefined {
  const secret = settings().serverSecrets[name]
  return (secret && app.secretStorage.getSecret(secret)?.trim()) || undefined
}

function transportTo(
  server: string,
  setting: ServerSetting,
  secret: string | undefined,
  fetch: typeof window.fetch,
): ServerTransport {
  if (!('url' in setting)) {
    throw new Failure('invalid-input', `The MCP server ${server} is a program, which Obsidian does not start.`, {
      hint: 'Use it with the command line: notewright mcp-servers',
    })
  }
  const headers = { ...setting.headers, ...(secret && { Authorization: `Bearer ${secret}` }) }
  if (/\$\{/.test(`${setting.url}${JSON.stringify(headers)}`)) {
    throw new Failure(
      'invalid-input',
      `The MCP server ${server} needs a variable of the environment. There is none here.`,
    )
  }
  if (Object.keys(headers).length > 0 && !setting.url.startsWith('https:') && !isNearby(setting.url)) {
    throw new Failure('denied', `What the MCP server ${server} is sent as headers could be read on the way.`, {
      hint: 'Use its https address.',
    })
  }
  return plainHttp({ server, url: setting.url, headers, fetch })
}

/**
 * As a browser asks, so that a server can speak while it works. One that lets no app ask so is asked through Obsidian:
 * its answers come whole, and it is told that nobody listens in between.
 */
function serverFetch(): typeof window.fetch {
  const inPieces = new Set<string>()
  const asked = obsidianFetch((origin) => inPieces.add(origin))
  return async (address, init) => {
    const url = typeof address === 'string' ? address : address instanceof URL ? address.href : address.url
    const { origin } = new URL(url)
    const isListening = (init?.method ?? 'GET') === 'GET'
    if (isListening && inPieces.has(origin)) return new Response(null, { status: 405 })
    return asked(url, init)
  }
}
