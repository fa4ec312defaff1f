import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { Failure } from '../../../core/errors.js'
import { modelFailure } from '../../../core/model/index.js'
import { version as ourVersion } from '../version.js'
import { codexContext, refusedRequest } from './failures.js'
import { callsTools } from './open-codex.js'
import type { ConfigResult, InitializeResult, RequestId, RpcError, ServerMessage } from './protocol.js'

/** Keeps one Codex process: starts it when it is first needed, and again when it has died, each time more slowly. */
export interface Supervisor {
  server(): Promise<AppServer>
}

interface RestartDelays {
  firstWaitMs: number
  longestWaitMs: number
  /** A process that lived this long had not failed to start. */
  stableMs: number
}

const defaultRestartDelays: RestartDelays = { firstWaitMs: 500, longestWaitMs: 30_000, stableMs: 30_000 }

export function supervisor(launch: () => Promise<Launch>, patience = defaultRestartDelays): Supervisor {
  let current: Promise<AppServer> | undefined
  let failures = 0
  let notBefore = 0

  async function start(): Promise<AppServer> {
    const description = await launch().catch((error) => {
      current = undefined
      throw error
    })
    const startedAt = Date.now()
    try {
      const server = await startAppServer(description)
      void server.ended.then(() => {
        current = undefined
        if (Date.now() - startedAt >= patience.stableMs) failures = 0
        backOff()
      })
      return server
    } catch (error) {
      current = undefined
      backOff()
      throw error
    }
  }

  function backOff(): void {
    notBefore = Date.now() + Math.min(patience.longestWaitMs, patience.firstWaitMs * 2 ** failures)
    failures++
  }

  return {
    server() {
      if (current !== undefined) return current
      const waitMs = notBefore - Date.now()
      if (waitMs > 0) return Promise.reject(tooSoon(waitMs))
      current = start()
      return current
    },
  }
}

/** Reported as an overloaded server, so that the caller retries. */
function tooSoon(waitMs: number) {
  return modelFailure('overloaded', codexContext(''), 'Codex crashed several times and was not restarted.', {
    hint: 'Try again later. To check Codex: notewright doctor',
    retryAfterMs: waitMs,
  })
}

/** An event for the listener of a thread: a message, or the failure that ended the connection. */
export type ThreadEvent = ServerMessage | { closed: Failure }

/** One running `codex app-server`. */
export interface AppServer {
  readonly version: string
  /** True if it calls our tools itself. Earlier versions write calls as text. */
  readonly callsTools: boolean
  /** Names of the MCP servers in the user's Codex configuration. */
  readonly mcpServers: readonly string[]
  request<Result>(method: string, params: unknown): Promise<Result>
  /** A request without waiting for the answer; this process may end first. */
  requestInPassing(method: string, params: unknown): Promise<void>
  /** Answers a request of Codex's. */
  answer(id: RequestId, result: unknown): void
  listen(threadId: string, on: (event: ThreadEvent) => void): () => void
  /** Keeps this process alive until released. */
  hold(): () => void
  readonly ended: Promise<void>
}

const defaultStartMs = 30_000

/** Starts Codex and shakes hands with it. */
async function startAppServer(launch: Launch): Promise<AppServer> {
  const listeners = new Map<string, (event: ThreadEvent) => void>()
  let closed: Failure | undefined
  let tellEnd = () => {}
  const ended = new Promise<void>((resolve) => {
    tellEnd = resolve
  })

  function close(why: string): void {
    if (closed !== undefined) return
    closed = modelFailure('disconnected', codexContext(''), why, { hint: 'Ask again. Codex is restarted.' })
    peer.close(closed)
    for (const listener of [...listeners.values()]) listener({ closed })
    listeners.clear()
    tellEnd()
  }

  const child: CodexProcess = startProcess(launch, { onLine: (line) => peer.receive(line), onEnd: close })
  const peer: RpcPeer = rpcPeer({
    write: child.write,
    onMessage(message) {
      const { threadId = '' } = (message.params ?? {}) as { threadId?: string }
      const listener = listeners.get(threadId)
      if (message.id === undefined || (message.method === 'item/tool/call' && listener)) listener?.(message)
      else if (Object.hasOwn(declinedRequests, message.method))
        peer.answer(message.id, declinedRequests[message.method])
      else peer.refuse(message.id, `Not supported: ${message.method}`)
    },
  })

  async function request<Result>(method: string, params: unknown): Promise<Result> {
    const letGo = child.hold()
    return peer.request<Result>(method, params).finally(letGo)
  }

  const { startMs = defaultStartMs } = launch
  const late = setTimeout(
    () => close(`Codex did not respond within ${startMs / 1000} s after its start${child.lastWords()}`),
    startMs,
  )
  try {
    const { version, mcpServers } = await handshake(request, peer)
    return {
      version,
      callsTools: callsTools(version),
      mcpServers,
      request,
      requestInPassing: (method, params) => peer.request(method, params),
      answer: peer.answer,
      listen(threadId, on) {
        if (closed !== undefined) on({ closed })
        else listeners.set(threadId, on)
        return () => void listeners.delete(threadId)
      },
      hold: child.hold,
      ended,
    }
  } catch (error) {
    child.kill()
    throw error
  } finally {
    clearTimeout(late)
  }
}

async function handshake(request: AppServer['request'], peer: RpcPeer) {
  const { userAgent } = await request<InitializeResult>('initialize', {
    clientInfo: { name: 'notewright', title: 'Notewright', version: ourVersion },
    capabilities: { experimentalApi: true, requestAttestation: false },
  })
  peer.notify('initialized')
  const { config } = await request<ConfigResult>('config/read', { includeLayers: false })
  const [, version = ''] = /^[^/]*\/(\d\S*)/.exec(userAgent) ?? []
  return { version, mcpServers: Object.keys(config.mcp_servers ?? {}) }
}

/**
 * Answers that decline Codex's approval requests, since no user sees Codex's own prompts. Other requests get "no such
 * method", which Codex also treats as declined.
 */
const declinedRequests: Readonly<Record<string, unknown>> = {
  'item/commandExecution/requestApproval': { decision: 'decline' },
  'item/fileChange/requestApproval': { decision: 'decline' },
  'item/tool/requestUserInput': { answers: {} },
  'mcpServer/elicitation/request': { action: 'decline', content: null, _meta: null },
  applyPatchApproval: { decision: 'denied' },
  execCommandApproval: { decision: 'denied' },
}

/** Our side of a conversation in lines of JSON: requests that are answered, in both directions, and notifications. */
interface RpcPeer {
  request<Result>(method: string, params: unknown): Promise<Result>
  notify(method: string): void
  answer(id: RequestId, result: unknown): void
  refuse(id: RequestId, message: string): void
  receive(line: string): void
  /** The connection has ended; pending requests fail with the reason. */
  close(why: Failure): void
}

interface RpcOptions {
  write(line: string): void
  onMessage(message: ServerMessage): void
}

interface PendingCall {
  method: string
  resolve(result: unknown): void
  reject(failure: Failure): void
}

function rpcPeer({ write, onMessage }: RpcOptions): RpcPeer {
  const waiting = new Map<RequestId, PendingCall>()
  let nextId = 0
  let closed: Failure | undefined

  const send = (message: unknown): void => {
    if (closed === undefined) write(`${JSON.stringify(message)}\n`)
  }

  function takeAnswer({ id, result, error }: { id: RequestId; result?: unknown; error?: RpcError }): void {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(refusedRequest(asked.method, error))
    else asked?.resolve(result)
  }

  return {
    request<Result>(method: string, params: unknown) {
      return new Promise<unknown>((resolve, reject) => {
        if (closed !== undefined) return reject(closed)
        const id = ++nextId
        waiting.set(id, { method, resolve, reject })
        send({ id, method, params })
      }) as Promise<Result>
    },
    notify: (method) => send({ method }),
    answer: (id, result) => send({ id, result }),
    refuse: (id, message) => send({ id, error: { code: -32601, message } }),
    receive(line) {
      // Older versions say everything a second time under these names.
      if (line.startsWith('{"method":"codex/event/')) return
      const message = JSON.parse(line)
      if (message.method === undefined) takeAnswer(message)
      else onMessage(message)
    },
    close(why) {
      closed ??= why
      for (const asked of waiting.values()) asked.reject(closed)
      waiting.clear()
    },
  }
}

interface Launch {
  command: string
  arguments: readonly string[]
  environment: Record<string, string>
  /** The working folder. Default: that of this process. */
  cwd?: string
  /** Timeout for the first message. */
  startMs?: number
}

/** A child process that exchanges lines. It ends with this process, at the latest when its input closes. */
interface CodexProcess {
  write(line: string): void
  kill(): void
  /** Keeps this process alive until released. Otherwise the child does not keep it from exiting. */
  hold(): () => void
  /** The last line it wrote to its error output, for a message about its end. */
  lastWords(): string
}

interface ProcessEvents {
  onLine(line: string): void
  /** Called once, with the reason why there are no more lines. */
  onEnd(why: string): void
}

function startProcess(launch: Launch, events: ProcessEvents): CodexProcess {
  const { command, arguments: words, environment, cwd } = launch
  const child = spawn(command, [...words], { env: environment, stdio: 'pipe', cwd })
  const parts = [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket]
  let holds = 0
  let tail = ''
  let isOver = false

  const kill = () => {
    child.kill()
  }

  function end(why: string): void {
    if (isOver) return
    isOver = true
    process.off('exit', kill)
    events.onEnd(why)
  }

  function lastWords(): string {
    // Without the colours of a terminal.
    const lines = tail.replace(/\x1b\[[\d;]*m/g, '').split('\n')
    const last = lines.filter((line) => line.trim() !== '').at(-1)
    return last === undefined ? '.' : `: ${last.trim().slice(0, 300)}`
  }

  process.once('exit', kill)
  // Writing to a process that has just ended fails; its end is reported elsewhere.
  child.stdin.on('error', () => {})
  child.stderr.on('data', (bytes: Buffer) => {
    tail = (tail + bytes.toString('utf8')).slice(-2000)
  })
  const read = lineReader(events.onLine)
  child.stdout.on('data', (bytes: Buffer) => {
    try {
      read(bytes)
    } catch (error) {
      end(`Codex sent an unreadable message: ${(error as Error).message}`)
      kill()
    }
  })
  child.once('error', (error) => end(`Codex could not be started: ${error.message}`))
  child.once('close', (code, signal) =>
    end(`Codex ended unexpectedly (${signal ?? `exit code ${code}`})${lastWords()}`),
  )

  return {
    write: (line) => void child.stdin.write(line),
    kill,
    lastWords,
    hold() {
      if (holds++ === 0) for (const part of parts) part.ref()
      let isHeld = true
      return () => {
        if (isHeld && --holds === 0) for (const part of parts) part.unref()
        isHeld = false
      }
    },
  }
}

/** Longer than any line a model's reply makes; an image in a result is the longest. */
const longestLine = 64 * 1024 * 1024

/** Cuts bytes into lines at `\n` alone: JSON may hold U+2028, where Node's own reader would cut too. */
function lineReader(onLine: (line: string) => void): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return (bytes) => {
    const lines = (rest + decoder.write(bytes)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new Error(`A line has more than ${longestLine} characters.`)
    for (const line of lines) if (line.trim() !== '') onLine(line)
  }
}
