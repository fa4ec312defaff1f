import { Client, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { Failure } from '../errors.js'
import { schemaReasons } from '../tools/index.js'
import { answerQuestion } from './answer-question.js'
import type { Caller, ServerConnection, ServerSetup } from './connect-server.js'
import { textOf } from './server-answer.js'
import type { ServerTool } from './server-tool.js'

const usualStartMs = 30_000
/** Calls end with their own signal. */
const neverMs = 2 ** 31 - 1
const mostTools = 1000
/** Of what a server says went wrong. */
const mostWords = 500

export async function openConnection(setup: ServerSetup): Promise<ServerConnection> {
  const { name, transport, version, startMs = usualStartMs, ask, onTools, onEnd } = setup
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
      // Its defaults are shown to the person: one that they took out stays out.
      capabilities: ask ? { elicitation: { form: {} } } : {},
      // Only over HTTP can a server be asked first which era it speaks: programs of the older one may never answer that.
      ...(transport.hasPerRequestStream && { versionNegotiation: { mode: 'auto' as const } }),
      jsonSchemaValidator: { getValidator: schemaCheck },
      listChanged: {
        tools: {
          onChanged(error, listed) {
            // One that cannot say any more what it has, has nothing.
            tools = error || !listed ? [] : within(listed)
            onTools?.(tools)
          },
        },
      },
    },
  )
  if (ask) {
    client.setRequestHandler('elicitation/create', (request) => answerQuestion(request.params, { name, ask, callers }))
  }
  client.onerror = (error) => {
    lastError = error
  }
  client.onclose = () => {
    if (isThere) onEnd?.(failed(new SdkError(SdkErrorCode.ConnectionClosed, 'It went away')))
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
    async call(tool, input, caller) {
      const { signal } = caller
      callers.add(caller)
      try {
        const options = { signal, timeout: neverMs }
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
  return tools
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

/** The SDK puts its own words around what a transport says. */
function failureIn(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error
  return error instanceof Error && error.cause !== undefined ? failureIn(error.cause) : undefined
}

function serverFailure(server: string, error: unknown, before: Error | undefined): Failure {
  const own = failureIn(error)
  if (own !== undefined) return own
  const isClosed = SdkError.isInstance(error) && error.code === SdkErrorCode.ConnectionClosed
  if (isClosed && before instanceof Failure) return before
  if (isClosed)
    return new Failure('network', `The MCP server ${server} went away${before ? `: ${before.message}` : '.'}`)
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) {
    return new Failure('timeout', `The MCP server ${server} did not answer in time.`)
  }
  const words = ((error as Error)?.message ?? String(error)).slice(0, mostWords)
  if (ProtocolError.isInstance(error)) return new Failure('invalid-input', `${server}: ${words}`)
  return new Failure('network', `The MCP server ${server}: ${words}`)
}
