import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Failure } from '../../../core/errors.js'
import { modelFailure } from '../../../core/model/index.js'
import { version as ourVersion } from '../version.js'
import { codexContext } from './codex-context.js'
import { declined } from './decline.js'
import { lineReader } from './line-reader.js'
import type { ConfigResult, InitializeResult, RequestId, RpcError, ServerMessage } from './protocol.js'
import { refusedRequest } from './turn-failure.js'

export interface Launch {
  command: string
  arguments: readonly string[]
  environment: Record<string, string>
  /** How long it may take to say that it is there. */
  startMs?: number
}

/** What a listener hears: messages about its thread, and at the end why there will be no more. */
export type ThreadEvent = ServerMessage | { closed: Failure }

/** One running `codex app-server`. */
export interface AppServer {
  readonly version: string
  /** Whether it calls tools of ours itself. Before, calls are written as text. */
  readonly callsTools: boolean
  /** The MCP servers of the person's Codex, by name. */
  readonly mcpServers: readonly string[]
  request<Result>(method: string, params: unknown): Promise<Result>
  /** Answers a request of Codex's. */
  answer(id: RequestId, result: unknown): void
  listen(threadId: string, on: (event: ThreadEvent) => void): () => void
  /** Until it is let go, our own process waits for it. */
  hold(): () => void
  stop(): void
  readonly ended: Promise<void>
}

/** The first version whose dynamic tools we know; those before are spoken to in text, which all understand. */
const callsToolsFrom = [0, 166]

const usualStartMs = 30_000

/** Starts Codex and shakes hands with it. */
export async function startAppServer(launch: Launch): Promise<AppServer> {
  const child = spawn(launch.command, [...launch.arguments], { env: launch.environment, stdio: 'pipe' })
  const waiting = new Map<RequestId, { resolve(result: unknown): void; reject(error: Failure): void; method: string }>()
  const listeners = new Map<string, (event: ThreadEvent) => void>()
  const said = lastWords(child)
  const holding = holder(child)
  let nextId = 0
  let closed: Failure | undefined

  function send(message: unknown): void {
    if (closed === undefined) child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  function request<Result>(method: string, params: unknown): Promise<Result> {
    return new Promise<unknown>((resolve, reject) => {
      if (closed !== undefined) return reject(closed)
      const id = ++nextId
      const letGo = holding.hold()
      waiting.set(id, {
        method,
        resolve: (result) => resolve((letGo(), result)),
        reject: (error) => reject((letGo(), error)),
      })
      send({ id, method, params })
    }) as Promise<Result>
  }

  function receive(line: string): void {
    // Older versions say everything a second time under these names.
    if (line.startsWith('{"method":"codex/event/')) return
    const message = JSON.parse(line) as ServerMessage & { result?: unknown; error?: RpcError }
    if (message.method === undefined) {
      const asked = message.id === undefined ? undefined : waiting.get(message.id)
      waiting.delete(message.id!)
      if (message.error) asked?.reject(refusedRequest(asked.method, message.error))
      else asked?.resolve(message.result)
      return
    }
    const { threadId } = (message.params ?? {}) as { threadId?: string }
    const listener = threadId === undefined ? undefined : listeners.get(threadId)
    if (message.id === undefined || (message.method === 'item/tool/call' && listener)) return listener?.(message)
    if (Object.hasOwn(declined, message.method)) return send({ id: message.id, result: declined[message.method] })
    send({ id: message.id, error: { code: -32601, message: `Not answered here: ${message.method}` } })
  }

  function close(why: string): void {
    if (closed !== undefined) return
    closed = modelFailure('disconnected', codexContext(''), why, { hint: 'Ask again; Codex is started anew.' })
    for (const asked of waiting.values()) asked.reject(closed)
    for (const listener of [...listeners.values()]) listener({ closed })
    waiting.clear()
    listeners.clear()
    process.off('exit', kill)
  }

  const kill = () => void child.kill()
  process.once('exit', kill)
  // What is written to a process that has just gone.
  child.stdin.on('error', () => {})
  const read = lineReader(receive)
  child.stdout.on('data', (bytes: Buffer) => {
    try {
      read(bytes)
    } catch (error) {
      close(`Codex sent something that cannot be read: ${(error as Error).message}`)
      kill()
    }
  })
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      close(`Codex could not be started: ${error.message}`)
      resolve()
    })
    child.once('exit', (code, signal) => {
      close(`Codex ended unexpectedly (${signal ?? `exit code ${code}`})${said()}`)
      resolve()
    })
  })

  async function shakeHands() {
    const { userAgent } = await request<InitializeResult>('initialize', {
      clientInfo: { name: 'notewright', title: 'Notewright', version: ourVersion },
      capabilities: { experimentalApi: true, requestAttestation: false },
    })
    send({ method: 'initialized' })
    const { config } = await request<ConfigResult>('config/read', { includeLayers: false })
    const version = /^[^/]*\/(\d+\.\d+\.\d+\S*)/.exec(userAgent)?.[1] ?? ''
    return { version, mcpServers: Object.keys(config.mcp_servers ?? {}) }
  }

  const startMs = launch.startMs ?? usualStartMs
  const late = setTimeout(() => {
    close(`Codex did not answer within ${startMs / 1000} s of its start${said()}`)
    kill()
  }, startMs)
  try {
    const { version, mcpServers } = await shakeHands()
    return {
      version,
      callsTools: isFrom(version, callsToolsFrom),
      mcpServers,
      request,
      answer: (id, result) => send({ id, result }),
      listen(threadId, on) {
        if (closed !== undefined) on({ closed })
        else listeners.set(threadId, on)
        return () => void listeners.delete(threadId)
      },
      hold: holding.hold,
      stop() {
        close('Codex was stopped.')
        kill()
      },
      ended,
    }
  } catch (error) {
    kill()
    throw error
  } finally {
    clearTimeout(late)
  }
}

/** A process that waits in the background does not keep ours from ending. */
function holder(child: ChildProcessWithoutNullStreams) {
  const parts = [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket]
  let holds = 0
  const letGo = () => {
    if (--holds === 0) for (const part of parts) part.unref()
  }
  return {
    hold(): () => void {
      if (holds++ === 0) for (const part of parts) part.ref()
      let isHeld = true
      return () => {
        if (isHeld) letGo()
        isHeld = false
      }
    },
  }
}

/** The last line it wrote to its error output, for a message about its end. */
function lastWords(child: ChildProcessWithoutNullStreams): () => string {
  let tail = ''
  child.stderr.on('data', (bytes: Buffer) => {
    tail = (tail + bytes.toString('utf8')).slice(-2000)
  })
  return () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal.
    const lines = tail.replace(/\x1b\[[\d;]*m/g, '').split('\n')
    const last = lines.filter((line) => line.trim() !== '').at(-1)
    return last === undefined ? '.' : `: ${last.trim().slice(0, 300)}`
  }
}

function isFrom(version: string, [major, minor]: number[]): boolean {
  const [ofMajor = 0, ofMinor = 0] = version.split('.').map(Number)
  return ofMajor > major || (ofMajor === major && ofMinor >= minor)
}
