import { Failure } from '../errors.js'
import type { Registry } from '../tools/index.js'
import { connectServer, type ServerConnection, type ServerSetup, type ServerTransport } from './connect-server.js'
import { foreignTool } from './foreign-tool.js'
import { type Familiarity, familiarity, type SeenTools } from './seen-tools.js'
import type { ServerTool } from './server-tool.js'

/** A server the person has configured. */
export interface ConfiguredServer {
  name: string
  timeoutMs?: number
  /** A new way to it for each try. May fail: a variable is not set, a program not found. */
  open(): ServerTransport | Promise<ServerTransport>
}

export interface ToolServersSetup extends Pick<ServerSetup, 'version' | 'ask' | 'startMs'> {
  servers: readonly ConfiguredServer[]
  registry: Registry
  seen: SeenTools
  /** Told what is wrong, in a sentence for the person. */
  onTrouble(text: string): void
  /** How long to wait before the n-th new try. */
  backOffMs?(tries: number): number
}

/** The servers of an opened vault. Their tools come into the registry and leave it with them. */
export interface ToolServers {
  /** Resolves when each server is there or has failed, or when time is up: the slow come when they come. */
  ready(ms: number): Promise<void>
  /** Ends them all, and waits until they have. */
  close(): Promise<void>
}

/** Starts all of them side by side. */
export function toolServers(setup: ToolServersSetup): ToolServers {
  const running = setup.servers.map((server) => keepRunning(server, setup))
  return {
    async ready(ms) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      })
      await Promise.race([late, Promise.all(running.map(({ tried }) => tried))])
      clearTimeout(timer)
    },
    async close() {
      await Promise.all(running.map((server) => server.stop()))
    },
  }
}

/** So long it must have been there for its failures to be forgotten. */
const steadyMs = 60_000

const usualBackOff = (tries: number): number => Math.min(1000 * 2 ** (tries - 1), 300_000)

/** One server: started, registered, and started again when it goes. */
function keepRunning(
  server: ConfiguredServer,
  setup: ToolServersSetup,
): { tried: Promise<void>; stop(): Promise<void> } {
  const { name } = server
  const { registry, onTrouble, backOffMs = usualBackOff } = setup
  let connection: ServerConnection | undefined
  let isStopped = false
  let tries = 0
  let thereSince = Number.POSITIVE_INFINITY
  let transport: ServerTransport | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = Promise.resolve()

  async function start(): Promise<void> {
    try {
      transport = await server.open()
      if (isStopped) return
      const opened = await connectServer({
        ...setup,
        name,
        transport,
        timeoutMs: server.timeoutMs,
        onTools: (tools) => void register(tools).catch(gone),
        onEnd: gone,
      })
      connection = opened
      if (isStopped) return
      thereSince = performance.now()
      await register(opened.tools)
    } catch (error) {
      gone(error)
    }
  }

  async function register(tools: readonly ServerTool[]): Promise<void> {
    const seen = await setup.seen.of(name)
    if (isStopped || connection === undefined) return
    const made = tools.map((tool) => {
      const withheld = whyWithheld(name, tool, familiarity(tool, seen))
      return foreignTool(tool, { server: name, call, timeoutMs: server.timeoutMs, withheld })
    })
    registry.registerServer(name, made)
    const changed = tools.filter((tool) => familiarity(tool, seen) === 'changed')
    for (const tool of changed) onTrouble(whyWithheld(name, tool, 'changed')!)
  }

  const call: ServerConnection['call'] = (tool, input, context) => {
    if (connection === undefined) throw new Failure('network', `The MCP server ${name} is not there.`)
    return connection.call(tool, input, context)
  }

  /** Told once in a row of failures: someone who fixes it knows where to look. */
  function gone(error: unknown): void {
    if (isStopped) return
    registry.unregister(`mcp:${name}`)
    const left = connection
    connection = undefined
    void left?.close().catch(() => undefined)
    // One that comes and goes at once is waited for ever longer too.
    if (performance.now() - thereSince > steadyMs) tries = 0
    thereSince = Number.POSITIVE_INFINITY
    tries++
    if (tries === 1) onTrouble(error instanceof Failure ? error.message : `${name}: ${(error as Error).message}`)
    clearTimeout(timer)
    timer = setTimeout(() => {
      attempt = start()
    }, backOffMs(tries))
  }

  const tried = start()
  attempt = tried
  return {
    tried,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      registry.unregister(`mcp:${name}`)
      await (connection ?? transport)?.close().catch(() => undefined)
      await attempt
      await connection?.close().catch(() => undefined)
    },
  }
}

function whyWithheld(server: string, { name }: ServerTool, how: Familiarity): string | undefined {
  if (how === 'seen') return undefined
  const look = `Look at it with: notewright mcp-servers tools ${server}`
  return how === 'new'
    ? `Nobody has looked at the tool ${server}/${name} yet, so it is off. ${look}`
    : `The tool ${server}/${name} is not what it was when you looked at it, so it is off. ${look}`
}
