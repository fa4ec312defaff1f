import { Failure } from '../errors.js'
import type { Registry } from '../tools/index.js'
import type { ConnectServer, ServerConnection, ServerSetup, ServerTransport } from './connect-server.js'
import { foreignTool } from './foreign-tool.js'
import { type Familiarity, familiarity, type SeenTools } from './seen-tools.js'
import type { ServerTool } from './server-tool.js'

/** A server the person has configured. */
export interface ConfiguredServer {
  name: string
  /** Of all that decides what is started or reached: with another hash it is another server. */
  hash: string
  timeoutMs?: number
  /** Where it is, when it is not a program of this machine. */
  address?: string
  /** A new way to it for each try. May fail: a variable is not set, a program not found. */
  open(): ServerTransport | Promise<ServerTransport>
}

export interface ToolServersSetup extends Pick<ServerSetup, 'version' | 'ask' | 'startMs'> {
  servers: readonly ConfiguredServer[]
  connect: ConnectServer
  registry: Registry
  seen: SeenTools
  /** Told what is wrong, in a sentence for the person. */
  onTrouble: (text: string) => void
  /** Where a person looks at a server's tools, as a sentence; on the command line unless told. */
  whereToLook?: (server: string) => string
  /** How long to wait before the n-th new try. */
  backOffMs?: (tries: number) => number
}

/** The servers of an opened vault. Their tools come into the registry and leave it with them. */
export interface StartedServers {
  /**
   * Resolves when each server is there or has failed, or when time is up: the slow come when they come. One that was
   * waited for in vain is not waited for again.
   */
  ready(ms: number): Promise<void>
  /** Ends them all, and waits until they have. */
  close(): Promise<void>
}

/** The same for the host that started them. */
export interface ToolServers extends StartedServers {
  /**
   * Takes up what is configured now. A server that is as it was goes on, whoever is using it; the others end, and what
   * waits for them fails.
   */
  change(servers: readonly ConfiguredServer[]): Promise<void>
}

/** Starts all of them side by side. */
export function toolServers(setup: ToolServersSetup): ToolServers {
  const running = new Map<string, RunningServer>()
  const slow = new Set<RunningServer>()
  let changed: Promise<unknown> = Promise.resolve()

  function begin(servers: readonly ConfiguredServer[]): void {
    for (const server of servers) if (!running.has(server.name)) running.set(server.name, keepRunning(server, setup))
  }

  async function change(servers: readonly ConfiguredServer[]): Promise<void> {
    const isAsItWas = ({ name, hash }: ConfiguredServer) =>
      servers.some((server) => server.name === name && server.hash === hash)
    const over = [...running.values()].filter(({ server }) => !isAsItWas(server))
    for (const { server } of over) running.delete(server.name)
    await Promise.all(over.map((each) => each.stop()))
    await Promise.all([...running.values()].map((each) => each.lookAgain()))
    begin(servers)
  }

  begin(setup.servers)
  return {
    async ready(ms) {
      const coming = new Set([...running.values()].filter((each) => !slow.has(each)))
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          for (const each of coming) slow.add(each)
          resolve()
        }, ms)
      })
      await Promise.race([late, Promise.all([...coming].map((each) => each.tried.then(() => coming.delete(each))))])
      clearTimeout(timer)
    },
    change(servers) {
      const next = changed.then(() => change(servers))
      changed = next.catch(() => undefined)
      return next
    },
    async close() {
      await changed
      await Promise.all([...running.values()].map((each) => each.stop()))
    },
  }
}

/** So long it must have been there for its failures to be forgotten. */
const steadyMs = 60_000

const onTheCommandLine = (server: string): string => `Look at it with: notewright mcp-servers tools ${server}`

const usualBackOff = (tries: number): number => Math.min(1000 * 2 ** (tries - 1), 300_000)

interface RunningServer {
  server: ConfiguredServer
  /** When it is there, or has failed for the first time. */
  tried: Promise<void>
  /** Somebody may have looked at its tools meanwhile. */
  lookAgain(): Promise<void>
  stop(): Promise<void>
}

/** One server: started, registered, and started again when it goes. */
function keepRunning(server: ConfiguredServer, setup: ToolServersSetup): RunningServer {
  const { name } = server
  const { registry, onTrouble, backOffMs = usualBackOff, whereToLook = onTheCommandLine } = setup
  let connection: ServerConnection | undefined
  let isStopped = false
  let tries = 0
  let thereSince = Number.POSITIVE_INFINITY
  let transport: ServerTransport | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = Promise.resolve()
  /** How its tools are known, as they stand in the registry. */
  let registered = ''

  async function start(): Promise<void> {
    try {
      transport = await server.open()
      if (isStopped) return
      const opened = await setup.connect({
        ...setup,
        name,
        transport,
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
      const withheld = whyWithheld(name, tool, familiarity(tool, seen), whereToLook(name))
      return foreignTool(tool, { server: name, address: server.address, call, timeoutMs: server.timeoutMs, withheld })
    })
    registry.registerServer(name, made)
    registered = standing(tools, seen)
    const changed = tools.filter((tool) => familiarity(tool, seen) === 'changed')
    for (const tool of changed) onTrouble(whyWithheld(name, tool, 'changed', whereToLook(name))!)
  }

  /** Tools that are used stay the same objects unless something about them is different. */
  async function lookAgain(): Promise<void> {
    if (connection === undefined) return
    const seen = await setup.seen.of(name)
    if (connection !== undefined && standing(connection.tools, seen) !== registered) await register(connection.tools)
  }

  const call: ServerConnection['call'] = async (tool, input, context) => {
    try {
      if (isStopped || connection === undefined) throw new Failure('network', `The MCP server ${name} is not there.`)
      return await connection.call(tool, input, context)
    } catch (error) {
      throw isStopped && !context.signal.aborted ? takenOut(name) : error
    }
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
    server,
    tried,
    lookAgain,
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

const standing = (tools: readonly ServerTool[], seen: ReadonlyMap<string, ServerTool>): string =>
  JSON.stringify(tools.map((tool) => [tool.name, familiarity(tool, seen)]))

const takenOut = (server: string): Failure =>
  new Failure('network', `The MCP server ${server} was changed or removed in the settings meanwhile.`)

function whyWithheld(server: string, { name }: ServerTool, how: Familiarity, look: string): string | undefined {
  if (how === 'seen') return undefined
  return how === 'new'
    ? `Nobody has looked at the tool ${server}/${name} yet, so it is off. ${look}`
    : `The tool ${server}/${name} is not what it was when you looked at it, so it is off. ${look}`
}
