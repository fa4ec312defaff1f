import { Client, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { Failure } from '../errors.js'
import { schemaReasons } from '../tools/index.js'
import { answerElicitation, type ConnectOptions, type ServerCaller, type ServerConnection } from './connection.js'
import { answerText, type ServerTool } from './tools.js'

const defaultStartMs = 30_000
/** Calls end by their own signal, so the SDK's timeout is disabled. */
const noTimeoutMs = 2 ** 31 - 1
const maxTools = 1000
/** Longest error text of a server that is shown. */
const maxErrorLength = 500

/** Connects with the protocol's own package. */
export async function openConnection(setup: ConnectOptions): Promise<ServerConnection> {
  const { name, transport, version, startMs = defaultStartMs, ask, onTools, onEnd } = setup
  const callers = new Set<ServerCaller>()
  let tools: readonly ServerTool[] = []
  /** While false, a lost connection is reported by the failing handshake, not by `onEnd`. */
  let isConnected = false
  /** The last error of the transport: its close event has no reason. */
  let lastError: Error | undefined
  const failed = (error: unknown) => serverFailure(name, error, lastError)

  const client = new Client(
    { name: 'notewright', title: 'Notewright', version },
    {
      // Without `applyDefaults`: the form shows the defaults, and one that the user removed stays removed.
      capabilities: ask ? { elicitation: { form: {} } } : {},
      // Only over HTTP: older programs on stdio may never answer the question for their version.
      ...(transport.hasPerRequestStream && { versionNegotiation: { mode: 'auto' as const } }),
      jsonSchemaValidator: { getValidator: schemaCheck },
      listChanged: {
        tools: {
          onChanged(error, listed) {
            // A server that fails to list its tools has none.
            tools = error || !listed ? [] : limitTools(listed)
            onTools?.(tools)
          },
        },
      },
    },
  )
  if (ask) {
    client.setRequestHandler('elicitation/create', (request) =>
      answerElicitation(request.params, { name, ask, callers }),
    )
  }
  client.onerror = (error) => {
    lastError = error
  }
  client.onclose = () => {
    if (isConnected) onEnd?.(failed(new SdkError(SdkErrorCode.ConnectionClosed, 'It disconnected')))
  }

  async function close(): Promise<void> {
    isConnected = false
    await client.close()
  }

  try {
    await client.connect(transport, { timeout: startMs })
    tools = limitTools(await listed(client, startMs))
    isConnected = true
  } catch (error) {
    // The failed handshake is reported, not a failing close.
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
        const options = { signal, timeout: noTimeoutMs }
        const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: input }, options)
        const text = answerText(content, structuredContent)
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

function limitTools(tools: ServerTool[]): ServerTool[] {
  return tools.slice(0, maxTools)
}

/** Replaces the SDK's validator, which needs `eval` or a second copy of ours. */
function schemaCheck<T>(jsonSchema: object) {
  return (value: unknown) => {
    const [reason] = schemaReasons({ jsonSchema: jsonSchema as Record<string, unknown> }, value)
    return reason === undefined
      ? { valid: true as const, data: value as T, errorMessage: undefined }
      : { valid: false as const, data: undefined, errorMessage: reason }
  }
}

/** Finds our own failure among the causes: the SDK wraps errors of a transport. */
function failureIn(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error
  return error instanceof Error && error.cause !== undefined ? failureIn(error.cause) : undefined
}

function serverFailure(server: string, error: unknown, lastError: Error | undefined): Failure {
  const own = failureIn(error)
  if (own !== undefined) return own
  const isClosed = SdkError.isInstance(error) && error.code === SdkErrorCode.ConnectionClosed
  if (isClosed && lastError instanceof Failure) return lastError
  if (isClosed)
    return new Failure('network', `The MCP server ${server} disconnected${lastError ? `: ${lastError.message}` : '.'}`)
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) {
    return new Failure('timeout', `The MCP server ${server} did not answer in time.`)
  }
  const words = ((error as Error)?.message ?? String(error)).slice(0, maxErrorLength)
  if (ProtocolError.isInstance(error)) return new Failure('invalid-input', `${server}: ${words}`)
  return new Failure('network', `The MCP server ${server}: ${words}`)
}
