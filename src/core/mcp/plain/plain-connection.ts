import { Failure } from '../../errors.js'
import { isRecord } from '../../is-record.js'
import { answerQuestion } from '../answer-question.js'
import type { Caller, ConnectServer } from '../connect-server.js'
import { textOf } from '../server-answer.js'
import type { ServerTool } from '../server-tool.js'

const usualStartMs = 30_000
const mostTools = 1000
const mostPages = 100
const mostWords = 500
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const noSuchMethod = -32601

type Result = Record<string, unknown>
interface Waiting {
  resolve(result: Result): void
  reject(error: unknown): void
}

/** A server greeted and listed without the protocol's package: as much of the protocol as tools need. */
export const plainConnection: ConnectServer = async (setup) => {
  const { name, transport, version, startMs = usualStartMs, ask, onTools, onEnd } = setup
  const waiting = new Map<number, Waiting>()
  const callers = new Set<Caller>()
  let lastId = 0
  let tools: readonly ServerTool[] = []
  let isThere = false
  let lastError: Error | undefined

  const gone = (): Failure => {
    if (lastError instanceof Failure) return lastError
    return new Failure('network', `The MCP server ${name} went away${lastError ? `: ${lastError.message}` : '.'}`)
  }
  const send = (message: Result) => transport.send({ jsonrpc: '2.0', ...message } as never)

  async function request(method: string, params: Result, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted()
    const id = ++lastId
    let stop = () => {}
    const answer = new Promise<Result>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      stop = () => {
        reject(signal.reason as Error)
        void send({ method: 'notifications/cancelled', params: { requestId: id } }).catch(() => undefined)
      }
      signal.addEventListener('abort', stop, { once: true })
    })
    answer.catch(() => undefined)
    try {
      const sent = send({ id, method, params }).then(() =>
        transport.hasPerRequestStream ? Promise.reject(unanswered(name)) : answer,
      )
      // What was answered has been told before it is over.
      return await Promise.race([answer, sent.catch((error: Error) => Promise.race([answer, Promise.reject(error)]))])
    } finally {
      waiting.delete(id)
      signal.removeEventListener('abort', stop)
    }
  }

  async function listed(signal: AbortSignal): Promise<ServerTool[]> {
    const found: ServerTool[] = []
    let cursor: unknown
    for (let page = 0; page < mostPages && found.length < mostTools; page++) {
      const answer = await request('tools/list', typeof cursor === 'string' ? { cursor } : {}, signal)
      found.push(...(Array.isArray(answer.tools) ? answer.tools.filter(isTool) : []))
      cursor = answer.nextCursor
      if (typeof cursor !== 'string') break
    }
    return found.slice(0, mostTools)
  }

  let isListing = false
  let isOutdated = false
  /** However often it says that they have changed, they are asked for one time after the other. */
  async function listAgain(): Promise<void> {
    isOutdated = true
    if (isListing || !isThere) return
    isListing = true
    while (isOutdated && isThere) {
      isOutdated = false
      const late = timeLimit(startMs, name)
      // One that cannot say any more what it has, has nothing.
      tools = await listed(late.signal).catch(() => [])
      late.clear()
      if (isThere) onTools?.(tools)
    }
    isListing = false
  }

  async function answerTo(method: string, params: unknown): Promise<Result> {
    if (method === 'ping') return { result: {} }
    if (method === 'elicitation/create' && ask && isRecord(params)) {
      return { result: await answerQuestion(params as never, { name, ask, callers }) }
    }
    return { error: { code: noSuchMethod, message: `Not known here: ${method}` } }
  }

  transport.onmessage = (message) => {
    const { id, method, params, result, error } = message as unknown as Result
    if (typeof method === 'string' && id !== undefined) {
      void answerTo(method, params)
        .then((answer) => send({ id, ...answer }))
        .catch(() => undefined)
    } else if (method === 'notifications/tools/list_changed') void listAgain()
    else if (isRecord(result)) waiting.get(Number(id))?.resolve(result)
    else if (isRecord(error)) {
      const words = textIn(error.message).slice(0, mostWords)
      waiting.get(Number(id))?.reject(new Failure('invalid-input', `${name}: ${words}`))
    }
  }
  transport.onerror = (error) => {
    lastError = error
  }
  transport.onclose = () => {
    for (const each of waiting.values()) each.reject(gone())
    if (isThere) onEnd?.(gone())
    isThere = false
  }

  async function close(): Promise<void> {
    isThere = false
    await transport.close()
  }

  const late = timeLimit(startMs, name)
  let greeted: Result
  try {
    await transport.start()
    greeted = await request(
      'initialize',
      {
        protocolVersion: versions[0],
        capabilities: ask ? { elicitation: { form: {} } } : {},
        clientInfo: { name: 'notewright', title: 'Notewright', version },
      },
      late.signal,
    )
    const agreed = textIn(greeted.protocolVersion)
    if (!versions.includes(agreed)) {
      throw new Failure('network', `The MCP server ${name} speaks a version that is not known here: ${agreed}`)
    }
    transport.setProtocolVersion?.(agreed)
    await send({ method: 'notifications/initialized' })
    const can = isRecord(greeted.capabilities) ? greeted.capabilities : {}
    tools = can.tools === undefined ? [] : await listed(late.signal)
    isThere = true
    if (isOutdated) void listAgain()
  } catch (error) {
    await close().catch(() => undefined)
    throw asFailure(name, error)
  } finally {
    late.clear()
  }
  const info = isRecord(greeted.serverInfo) ? greeted.serverInfo : {}

  return {
    server: { name: textIn(info.name) || name, version: textIn(info.version) },
    protocol: textIn(greeted.protocolVersion),
    get tools() {
      return tools
    },
    async call(tool, input, caller) {
      callers.add(caller)
      try {
        const answer = await request('tools/call', { name: tool, arguments: input }, caller.signal)
        const { content, structuredContent, isError } = answer
        const text = textOf(Array.isArray(content) ? content.filter(isRecord as never) : [], structuredContent)
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

function timeLimit(ms: number, name: string): { signal: AbortSignal; clear: () => void } {
  const late = new AbortController()
  const failure = new Failure('timeout', `The MCP server ${name} did not answer in time.`)
  const timer = setTimeout(() => late.abort(failure), ms)
  return { signal: late.signal, clear: () => clearTimeout(timer) }
}

function isTool(value: unknown): value is ServerTool {
  return isRecord(value) && typeof value.name === 'string' && isRecord(value.inputSchema)
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const unanswered = (name: string): Failure => new Failure('network', `The MCP server ${name} ended without an answer.`)

function asFailure(name: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure(
    'network',
    `The MCP server ${name}: ${`${(error as Error)?.message ?? error}`.slice(0, mostWords)}`,
  )
}
