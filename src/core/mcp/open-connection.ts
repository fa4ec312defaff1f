import { Client, type ElicitResult, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { Failure } from '../errors.js'
import { schemaReasons } from '../tools/index.js'
import type { ServerConnection, ServerSetup } from './connect-server.js'
import { textOf } from './server-answer.js'
import { serverForm } from './server-form.js'
import type { ServerTool } from './server-tool.js'

const usualStartMs = 30_000
const usualCallMs = 30_000
const mostTools = 1000

interface Caller {
  session: string
  signal: AbortSignal
}

export async function openConnection(setup: ServerSetup): Promise<ServerConnection> {
  const { name, transport, version, startMs = usualStartMs, timeoutMs = usualCallMs, ask, onTools, onEnd } = setup
  const callers = new Set<Caller>()
  let tools: readonly ServerTool[] = []
  /** Before it is there its end is the end of the greeting, and told by that. */
  let isThere = false
  /** What the transport found wrong last: its end says only that it ended. */
  let lastError: Error | undefined
  const failed = (error: unknown) => serverFailure(name, error, lastError)

  const client = new Client(
    { name: 'notewright', title: 'Notewright', version },
    {
      capabilities: ask ? { elicitation: { form: { applyDefaults: true } } } : {},
      jsonSchemaValidator: { getValidator: schemaCheck },
      listChanged: {
        tools: {
          onChanged(error, listed) {
            // One that cannot say any more what it has, has nothing.
            tools = error || !listed ? [] : within(listed as ServerTool[])
            onTools?.(tools)
          },
        },
      },
    },
  )
  if (ask) client.setRequestHandler('elicitation/create', (request) => answer(request.params))
  client.onerror = (error) => {
    lastError = error
  }
  client.onclose = () => {
    if (isThere) onEnd?.(failed(new SdkError(SdkErrorCode.ConnectionClosed, 'It went away')))
  }

  /** Only the one whose call is running can be asked: nobody else would know what it is about. */
  async function answer(params: Parameters<typeof serverForm>[0] | { mode: 'url' }): Promise<ElicitResult> {
    const sessions = new Set([...callers].map(({ session }) => session))
    const [caller] = callers
    if (sessions.size !== 1 || caller === undefined || params.mode === 'url') return { action: 'decline' }
    const form = serverForm(params)
    if (form === undefined) return { action: 'decline' }
    const { session, signal } = caller
    const reply = await ask!({ server: name, session, message: params.message, form }, signal)
    if (reply.kind === 'answered') return { action: 'accept', content: { ...reply.values } }
    return { action: reply.kind === 'refused' ? 'decline' : 'cancel' }
  }

  async function close(): Promise<void> {
    isThere = false
    await client.close()
  }

  try {
    await client.connect(transport, { timeout: startMs })
    tools = within(await listed(client, startMs))
    isThere = true
  } catch (error) {
    await close().catch(() => undefined)
    throw failed(error)
  }
  const { name: ownName = name, version: ownVersion = '' } = client.getServerVersion() ?? {}

  return {
    server: { name: ownName, version: ownVersion },
    protocol: client.getNegotiatedProtocolVersion() ?? '',
    get tools() {
      return tools
    },
    async call(tool, input, { session, signal }) {
      const caller = { session, signal }
      callers.add(caller)
      try {
        const options = { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs }
        const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: input }, options)
        const text = textOf(content, structuredContent)
        if (isError) throw new Failure('invalid-input', text)
        return { text, ...(structuredContent !== undefined && { structuredContent }) }
      } catch (error) {
        signal.throwIfAborted()
        throw failed(error)
      } finally {
        callers.delete(caller)
      }
    },
    close,
  }
}

async function listed(client: Client, timeout: number): Promise<ServerTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const { tools } = await client.listTools(undefined, { timeout, maxTotalTimeout: timeout })
  return tools as ServerTool[]
}

function within(tools: ServerTool[]): ServerTool[] {
  return tools.slice(0, mostTools)
}

/** The SDK's own check would need `eval`, or a second copy of the one we have. */
function schemaCheck<T>(jsonSchema: object) {
  return (value: unknown) => {
    const [reason] = schemaReasons({ jsonSchema: jsonSchema as Record<string, unknown> }, value)
    return reason === undefined
      ? { valid: true as const, data: value as T, errorMessage: undefined }
      : { valid: false as const, data: undefined, errorMessage: reason }
  }
}

function serverFailure(server: string, error: unknown, before: Error | undefined): Failure {
  if (error instanceof Failure) return error
  const isClosed = SdkError.isInstance(error) && error.code === SdkErrorCode.ConnectionClosed
  if (isClosed && before instanceof Failure) return before
  if (isClosed)
    return new Failure('network', `The MCP server ${server} went away${before ? `: ${before.message}` : '.'}`)
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) {
    return new Failure('timeout', `The MCP server ${server} did not answer in time.`)
  }
  const words = (error as Error)?.message ?? `${error}`
  if (ProtocolError.isInstance(error)) return new Failure('invalid-input', `${server}: ${words}`)
  return new Failure('network', `The MCP server ${server}: ${words}`)
}
