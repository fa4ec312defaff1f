import { Failure } from '../errors.js'
import { isRecord } from '../is-record.js'
import { answerElicitation, type ConnectServer, type ServerCaller } from './connection.js'
import { answerText, type ServerTool } from './tools.js'

const defaultStartMs = 30_000
const maxTools = 1000
const maxPages = 100
const maxErrorLength = 500
const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const methodNotFound = -32601

type Result = Record<string, unknown>
interface PendingRequest {
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Connects without the protocol's package: implements the part of the protocol that tools need. */
export const connectWithoutSdk: ConnectServer = async (setup) => {
  const { name, transport, version, startMs = defaultStartMs, ask, onTools, onEnd } = setup
  const pending = new Map<number, PendingRequest>()
  const callers = new Set<ServerCaller>()
  let lastId = 0
  let tools: readonly ServerTool[] = []
  let isConnected = false
  let lastError: Error | undefined

  const connectionLost = (): Failure => {
    if (lastError instanceof Failure) return lastError
    return new Failure('network', `The MCP server ${name} disconnected${lastError ? `: ${lastError.message}` : '.'}`)
  }
  const send = (message: Result) => transport.send({ jsonrpc: '2.0', ...message } as never)

  async function request(method: string, params: Result, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted()
    const id = ++lastId
    let stop = () => {}
    const answer = new Promise<Result>((resolve, reject) => {
      pending.set(id, { resolve, reject })
      stop = () => {
        reject(signal.reason as Error)
        // Best effort: a server that has ended needs no cancellation.
        void send({ method: 'notifications/cancelled', params: { requestId: id } }).catch(() => undefined)
      }
      signal.addEventListener('abort', stop, { once: true })
    })
    // Its rejection is handled by the race below, or comes too late to matter.
    answer.catch(() => undefined)
    try {
      const sent = send({ id, method, params }).then(() =>
        transport.hasPerRequestStream ? Promise.reject(unanswered(name)) : answer,
      )
      // A response is delivered before `send` resolves, so `answer` wins if there is one.
      return await Promise.race([answer, sent.catch((error: Error) => Promise.race([answer, Promise.reject(error)]))])
    } finally {
      pending.delete(id)
      signal.removeEventListener('abort', stop)
    }
  }

  async function listTools(signal: AbortSignal): Promise<ServerTool[]> {
    const found: ServerTool[] = []
    let cursor: unknown
    for (let page = 0; page < maxPages && found.length < maxTools; page++) {
      const answer = await request('tools/list', typeof cursor === 'string' ? { cursor } : {}, signal)
      found.push(...(Array.isArray(answer.tools) ? answer.tools.filter(isTool) : []))
      cursor = answer.nextCursor
      if (typeof cursor !== 'string') break
    }
    return found.slice(0, maxTools)
  }

  let isListing = false
  let isOutdated = false
  /** Lists the tools again, one request at a time, however often the server reports a change. */
  async function refreshTools(): Promise<void> {
    isOutdated = true
    if (isListing || !isConnected) return
    isListing = true
    while (isOutdated && isConnected) {
      isOutdated = false
      const timeout = startTimeout(startMs, name)
      // A server that fails to list its tools has none.
      tools = await listTools(timeout.signal).catch(() => [])
      timeout.clear()
      if (isConnected) onTools?.(tools)
    }
    isListing = false
  }

  async function answerTo(method: string, params: unknown): Promise<Result> {
    if (method === 'ping') return { result: {} }
    if (method === 'elicitation/create' && ask && isRecord(params)) {
      return { result: await answerElicitation(params as never, { name, ask, callers }) }
    }
    return { error: { code: methodNotFound, message: `Method not found: ${method}` } }
  }

  transport.onmessage = (message) => {
    const { id, method, params, result, error } = message as unknown as Result
    if (typeof method === 'string' && id !== undefined) {
      void answerTo(method, params)
        .then((answer) => send({ id, ...answer }))
        // A connection that is lost meanwhile is reported by `onclose`.
        .catch(() => undefined)
    } else if (method === 'notifications/tools/list_changed') void refreshTools()
    else if (isRecord(result)) pending.get(Number(id))?.resolve(result)
    else if (isRecord(error)) {
      const words = textIn(error.message).slice(0, maxErrorLength)
      pending.get(Number(id))?.reject(new Failure('invalid-input', `${name}: ${words}`))
    }
  }
  transport.onerror = (error) => {
    lastError = error
  }
  transport.onclose = () => {
    for (const each of pending.values()) each.reject(connectionLost())
    if (isConnected) onEnd?.(connectionLost())
    isConnected = false
  }

  async function close(): Promise<void> {
    isConnected = false
    await transport.close()
  }

  const timeout = startTimeout(startMs, name)
  let initialized: Result
  try {
    await transport.start()
    initialized = await request(
      'initialize',
      {
        protocolVersion: protocolVersions[0],
        capabilities: ask ? { elicitation: { form: {} } } : {},
        clientInfo: { name: 'notewright', title: 'Notewright', version },
      },
      timeout.signal,
    )
    const agreed = textIn(initialized.protocolVersion)
    if (!protocolVersions.includes(agreed)) {
      throw new Failure('network', `The MCP server ${name} uses an unsupported protocol version: ${agreed}`)
    }
    transport.setProtocolVersion?.(agreed)
    await send({ method: 'notifications/initialized' })
    const can = isRecord(initialized.capabilities) ? initialized.capabilities : {}
    tools = can.tools === undefined ? [] : await listTools(timeout.signal)
    isConnected = true
    if (isOutdated) void refreshTools()
  } catch (error) {
    // The failed handshake is reported, not a failing close.
    await close().catch(() => undefined)
    throw asFailure(name, error)
  } finally {
    timeout.clear()
  }
  const info = isRecord(initialized.serverInfo) ? initialized.serverInfo : {}

  return {
    server: { name: textIn(info.name) || name, version: textIn(info.version) },
    protocol: textIn(initialized.protocolVersion),
    get tools() {
      return tools
    },
    async call(tool, input, caller) {
      callers.add(caller)
      try {
        const answer = await request('tools/call', { name: tool, arguments: input }, caller.signal)
        const { content, structuredContent, isError } = answer
        const text = answerText(Array.isArray(content) ? content.filter(isRecord as never) : [], structuredContent)
        if (isError === true) throw new Failure('invalid-input', text)
        return { text, ...(structuredContent !== undefined && { structuredContent }) }
      } catch (error) {
        caller.signal.throwIfAborted()
        throw asFailure(name, error)
      } finally {
        callers.delete(caller)
      }
    },
    close,
  }
}

function startTimeout(ms: number, name: string): { signal: AbortSignal; clear: () => void } {
  const timeout = new AbortController()
  const failure = new Failure('timeout', `The MCP server ${name} did not answer in time.`)
  const timer = setTimeout(() => timeout.abort(failure), ms)
  return { signal: timeout.signal, clear: () => clearTimeout(timer) }
}

function isTool(value: unknown): value is ServerTool {
  return isRecord(value) && typeof value.name === 'string' && isRecord(value.inputSchema)
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const unanswered = (name: string): Failure =>
  new Failure('network', `The MCP server ${name} disconnected without an answer.`)

function asFailure(name: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure(
    'network',
    `The MCP server ${name}: ${`${(error as Error)?.message ?? error}`.slice(0, maxErrorLength)}`,
  )
}
