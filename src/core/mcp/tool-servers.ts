import { Failure } from '../errors.js'
import type { Registry } from '../tools/index.js'
import type { ConnectOptions, ConnectServer, ServerConnection, ServerTransport } from './connection.js'
import { type ServerTool, wrapServerTool } from './tools.js'
import { type ReviewedTools, type ReviewState, reviewState } from './trust.js'

/** A server that the user has configured. */
export interface ConfiguredServer {
  name: string
  /** Hash of everything that decides what is started or reached. With another hash it is another server. */
  hash: string
  timeoutMs?: number | undefined
  /** The server's web address; undefined for a program on this machine. */
  address?: string
  /** Opens a new transport for each attempt. May fail: a variable is not set, a program not found. */
  open(): ServerTransport | Promise<ServerTransport>
}

interface ToolServersSetup extends Pick<ConnectOptions, 'version' | 'ask' | 'startMs'> {
  servers: readonly ConfiguredServer[]
  connect: ConnectServer
  registry: Registry
  seen: ReviewedTools
  /** Called with a sentence for the user when something is wrong. */
  onTrouble: (text: string) => void
  /** A sentence: where to review a server's tools. On the command line by default. */
  whereToLook?: (server: string) => string
  /** The delay before the n-th retry. */
  backOffMs?: (tries: number) => number
}

/** The running servers of a vault. Their tools are in the registry while they are connected. */
export interface StartedServers {
  /**
   * Resolves when each server is connected or has failed, or after `ms`. A server that has exceeded the time once is not
   * waited for again.
   */
  ready(ms: number): Promise<void>
  /** Stops all servers and waits until they have stopped. */
  close(): Promise<void>
}

/** The servers as the host that started them sees them. */
export interface ToolServers extends StartedServers {
  /** Applies a new configuration. Unchanged servers keep running; the others are stopped, and their pending calls fail. */
  change(servers: readonly ConfiguredServer[]): Promise<void>
}

/** Starts all servers concurrently. */
export function toolServers(setup: ToolServersSetup): ToolServers {
  const running = new Map<string, RunningServer>()
  const slowServers = new Set<RunningServer>()
  let pendingChange: Promise<unknown> = Promise.resolve()

  function startNew(servers: readonly ConfiguredServer[]): void {
    for (const server of servers) if (!running.has(server.name)) running.set(server.name, runServer(server, setup))
  }

  async function change(servers: readonly ConfiguredServer[]): Promise<void> {
    const isUnchanged = ({ name, hash }: ConfiguredServer) =>
      servers.some((server) => server.name === name && server.hash === hash)
    const stopped = [...running.values()].filter(({ server }) => !isUnchanged(server))
    for (const { server } of stopped) running.delete(server.name)
    await Promise.all(stopped.map((each) => each.stop()))
    await Promise.all([...running.values()].map((each) => each.refreshTools()))
    startNew(servers)
  }

  startNew(setup.servers)
  return {
    async ready(ms) {
      const starting = new Set([...running.values()].filter((each) => !slowServers.has(each)))
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          for (const each of starting) slowServers.add(each)
          resolve()
        }, ms)
      })
      await Promise.race([
        late,
        Promise.all([...starting].map((each) => each.firstAttempt.then(() => starting.delete(each)))),
      ])
      clearTimeout(timer)
    },
    change(servers) {
      const next = pendingChange.then(() => change(servers))
      // A failed change is reported to its caller and must not block the next one.
      pendingChange = next.catch(() => undefined)
      return next
    },
    async close() {
      await pendingChange
      await Promise.all([...running.values()].map((each) => each.stop()))
    },
  }
}

/** After this time with a connection the retry delay starts from the beginning. */
const stableMs = 60_000

const defaultWhereToLook = (server: string): string => `Review it with: notewright mcp-servers tools ${server}`

const defaultBackOffMs = (tries: number): number => Math.min(1000 * 2 ** (tries - 1), 300_000)

interface RunningServer {
  server: ConfiguredServer
  /** Resolves when the first attempt to connect has succeeded or failed. */
  firstAttempt: Promise<void>
  /** Registers the tools again if the user has reviewed them meanwhile. */
  refreshTools(): Promise<void>
  stop(): Promise<void>
}

/** Runs one server: connects, registers its tools, and reconnects when the connection is lost. */
function runServer(server: ConfiguredServer, setup: ToolServersSetup): RunningServer {
  const { name } = server
  const { registry, onTrouble, backOffMs = defaultBackOffMs, whereToLook = defaultWhereToLook } = setup
  let connection: ServerConnection | undefined
  let isStopped = false
  let failures = 0
  let connectedAt = Number.POSITIVE_INFINITY
  let transport: ServerTransport | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = Promise.resolve()
  /** The review state of the tools in the registry. */
  let registered = ''

  async function start(): Promise<void> {
    try {
      transport = await server.open()
      if (isStopped) return
      const opened = await setup.connect({
        ...setup,
        name,
        transport,
        onTools: (tools) => void register(tools).catch(onGone),
        onEnd: onGone,
      })
      connection = opened
      if (isStopped) return
      connectedAt = performance.now()
      await register(opened.tools)
    } catch (error) {
      onGone(error)
    }
  }

  async function register(tools: readonly ServerTool[]): Promise<void> {
    const seen = await setup.seen.of(name)
    if (isStopped || connection === undefined) return
    const registeredTools = tools.map((tool) => {
      const withheld = whyWithheld(name, tool, reviewState(tool, seen), whereToLook(name))
      const { address, timeoutMs } = server
      return wrapServerTool(tool, { server: name, address, call, timeoutMs, withheld })
    })
    registry.registerServer(name, registeredTools)
    registered = seenStates(tools, seen)
    const changedTools = tools.filter((tool) => reviewState(tool, seen) === 'changed')
    // `!`: a changed tool is withheld, and there is a sentence for it.
    for (const tool of changedTools) onTrouble(whyWithheld(name, tool, 'changed', whereToLook(name))!)
  }

  /** Tools in use stay the same objects unless their review state has changed. */
  async function refreshTools(): Promise<void> {
    if (connection === undefined) return
    const seen = await setup.seen.of(name)
    if (connection !== undefined && seenStates(connection.tools, seen) !== registered) await register(connection.tools)
  }

  const call: ServerConnection['call'] = async (tool, input, context) => {
    try {
      if (isStopped || connection === undefined) throw new Failure('network', `MCP server not found: ${name}`)
      return await connection.call(tool, input, context)
    } catch (error) {
      throw isStopped && !context.signal.aborted ? removedFailure(name) : error
    }
  }

  /** Reports only the first of several failures in a row. */
  function onGone(error: unknown): void {
    if (isStopped) return
    registry.unregister(`mcp:${name}`)
    const lost = connection
    connection = undefined
    // The connection is lost already.
    void lost?.close().catch(() => undefined)
    // Servers that crash right after the start also back off.
    if (performance.now() - connectedAt > stableMs) failures = 0
    connectedAt = Number.POSITIVE_INFINITY
    failures++
    if (failures === 1) onTrouble(error instanceof Failure ? error.message : `${name}: ${(error as Error).message}`)
    clearTimeout(timer)
    timer = setTimeout(() => {
      attempt = start()
    }, backOffMs(failures))
  }

  const firstAttempt = start()
  attempt = firstAttempt
  return {
    server,
    firstAttempt,
    refreshTools,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      registry.unregister(`mcp:${name}`)
      // Errors are ignored: the server is being removed.
      await (connection ?? transport)?.close().catch(() => undefined)
      await attempt
      await connection?.close().catch(() => undefined)
    },
  }
}

const seenStates = (tools: readonly ServerTool[], seen: ReadonlyMap<string, ServerTool>): string =>
  JSON.stringify(tools.map((tool) => [tool.name, reviewState(tool, seen)]))

const removedFailure = (server: string): Failure =>
  new Failure('network', `The MCP server ${server} has since been changed or removed in the settings.`)

function whyWithheld(server: string, { name }: ServerTool, how: ReviewState, look: string): string | undefined {
  if (how === 'seen') return undefined
  return how === 'new'
    ? `The tool ${server}/${name} is off because you have not reviewed it. ${look}`
    : `The tool ${server}/${name} is off because its description has changed since you reviewed it. ${look}`
}
