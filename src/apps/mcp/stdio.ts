import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { isRecord } from '../../core/is-record.js'
import { handshake } from './server-info.js'
import type { McpSetup } from './setup.js'

interface StdioSetup extends McpSetup {
  input: Readable
  output: Writable
  signal: AbortSignal
}

/** Serves one client over two pipes until it disconnects or the signal aborts. */
export async function serveOnStdio({ input, output, signal, ...setup }: StdioSetup): Promise<void> {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  const wire = lineTransport(input, output, { onClosed: end })
  const transport = earlyHandshakeTransport(wire, (version) => handshake(setup.vaults, version))
  await wire.start()
  const { serveConnection } = await import('./connection.js')
  const served = serveConnection(transport, setup)
  await ended
  await served.close()
}

/**
 * Answers the handshake immediately, and passes all messages on when the SDK is loaded, which takes longer than the
 * rest of the start. The SDK gets the handshake too; its answer is the same and is dropped.
 */
function earlyHandshakeTransport(wire: Transport, answer: (wantedVersion: string) => unknown): Transport {
  const queued: JSONRPCMessage[] = []
  let answeredId: RequestId | undefined
  let isFirst = true
  let onmessage: Transport['onmessage']

  wire.onmessage = (message) => {
    if (isFirst) answerHandshake(message)
    isFirst = false
    if (onmessage === undefined) queued.push(message)
    else onmessage(message)
  }

  function answerHandshake(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message) || message.method !== 'initialize') return
    const wanted = handshakeVersion(message.params)
    if (wanted === undefined) return
    answeredId = message.id
    const result = answer(wanted) as Record<string, unknown>
    // A client that has disconnected gets no answer.
    wire.send({ jsonrpc: '2.0', id: message.id, result }).catch(() => undefined)
  }

  return {
    get onmessage() {
      return onmessage
    },
    set onmessage(listener) {
      onmessage = listener
      if (listener !== undefined) for (const message of queued.splice(0)) listener(message)
    },
    get onclose() {
      return wire.onclose
    },
    set onclose(listener) {
      wire.onclose = listener
    },
    // The transport was started before.
    start: async () => {},
    async send(message, options) {
      if (answeredId !== undefined && !('method' in message) && message.id === answeredId) {
        answeredId = undefined
        return
      }
      await wire.send(message, options)
    },
    close: () => wire.close(),
  }
}

/** undefined for a handshake that the SDK would refuse, or that claims a later revision. */
function handshakeVersion(params: unknown): string | undefined {
  if (!isRecord(params) || params._meta !== undefined || !isRecord(params.capabilities)) return undefined
  const { protocolVersion, clientInfo } = params
  const isKnown = isRecord(clientInfo) && typeof clientInfo.name === 'string' && typeof clientInfo.version === 'string'
  return isKnown && typeof protocolVersion === 'string' ? protocolVersion : undefined
}

interface LineOptions {
  /** Maximum bytes of one message. */
  maxBytes?: number
  /** Maximum number of unanswered requests. */
  maxOpen?: number
  /** Time to answer open requests after the input has ended. */
  lingerMs?: number
  onClosed?(): void
}

/**
 * Messages as lines of JSON. The SDK's transport closes the connection when a line is too long; this one answers with
 * an error and continues, because clients would not restart the server.
 */
export function lineTransport(input: Readable, output: Writable, options: LineOptions = {}): Transport {
  const { maxBytes = 10 << 20, maxOpen = 1000, lingerMs = 2000 } = options
  const lines = lineReader(maxBytes, takeLine, rejectLongLine)
  const open = new Set<RequestId>()
  let isClosed = false
  let isEnding = false

  function takeLine(line: string): void {
    if (line.trim() === '') return
    const value = parseJson(line)
    const refusal = refusalOf(value)
    if (refusal !== undefined) refuse(idOf(value), ...refusal)
    else receive(value as JSONRPCMessage)
  }

  function refusalOf(value: unknown): [code: number, message: string] | undefined {
    if (value === undefined) return [-32700, 'The message is not valid JSON.']
    if (Array.isArray(value)) return [-32600, 'Send one message per line.']
    if (!isMessage(value)) return [-32600, 'The message is not valid JSON-RPC.']
    const isFull = 'method' in value && 'id' in value && open.size >= maxOpen
    return isFull ? [-32000, 'Too many requests at once. Wait for responses.'] : undefined
  }

  function receive(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) open.add(message.id)
    // Cancelled requests are not answered.
    else if ('method' in message && message.method === 'notifications/cancelled') {
      open.delete(message.params?.requestId as RequestId)
    }
    self.onmessage?.(message)
  }

  function rejectLongLine(start: string, end: string, bytes: number): void {
    refuse(idInText(start, end), -32600, `The message has ${bytes} bytes; at most ${maxBytes} are allowed.`)
  }

  function refuse(id: RequestId | null, code: number, message: string): void {
    // A client that has disconnected gets no answer.
    write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => undefined)
  }

  function write(message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      // Backpressure: while a client does not read, its input is not read either.
      if (output.writableNeedDrain && !input.isPaused()) {
        input.pause()
        output.once('drain', () => !isClosed && input.resume())
      }
    })
  }

  function end(): void {
    isEnding = true
    if (open.size === 0) void self.close()
    else setTimeout(() => void self.close(), lingerMs).unref()
  }

  const self: Transport = {
    async start() {
      input.on('data', lines)
      input.on('end', end)
      input.on('close', end)
      input.on('error', end)
      output.on('error', () => void self.close())
    },
    async send(message) {
      if (isClosed) return
      await write(message)
      if (!('method' in message) && message.id !== undefined) open.delete(message.id)
      if (isEnding && open.size === 0) await self.close()
    },
    async close() {
      if (isClosed) return
      isClosed = true
      for (const [event, listener] of [
        ['data', lines],
        ['end', end],
        ['close', end],
        ['error', end],
      ] as const) {
        input.off(event, listener)
      }
      input.pause()
      self.onclose?.()
      options.onClosed?.()
    },
  }
  return self
}

/** Bytes kept of both ends of a long line, to find its id. */
const keptEndBytes = 1024

function lineReader(
  maxBytes: number,
  takeLine: (line: string) => void,
  rejectLongLine: (start: string, end: string, bytes: number) => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0

  function add(part: Buffer): void {
    bytes += part.length
    parts.push(part)
    if (bytes <= maxBytes) return
    // Keep only its two ends.
    const all = Buffer.concat(parts)
    parts = [all.subarray(0, keptEndBytes), all.subarray(Math.max(keptEndBytes, all.length - keptEndBytes))]
  }

  function finish(): void {
    const [all, size] = [Buffer.concat(parts).toString('utf8'), bytes]
    parts = []
    bytes = 0
    if (size <= maxBytes) takeLine(all)
    else rejectLongLine(all.slice(0, keptEndBytes), all.slice(-keptEndBytes), size)
  }

  return (chunk) => {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, at))
      finish()
      from = at + 1
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Checks the form of a message only; parameters are checked by its handler. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isRecord(value) || value.jsonrpc !== '2.0') return false
  const { id, method, params, result, error } = value
  const isId = typeof id === 'string' || Number.isInteger(id)
  if (method !== undefined) {
    return typeof method === 'string' && (id === undefined || isId) && (params === undefined || isRecord(params))
  }
  return isRecord(error) ? isId || id === undefined : isId && isRecord(result)
}

function idOf(value: unknown): RequestId | null {
  const id = (value as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** The id of a message that is too long to parse: it is before the parameters or at the very end. */
function idInText(start: string, end: string): RequestId | null {
  const written = /"id"\s*:\s*("[^"\\]{0,100}"|-?\d{1,15})/
  const [, id] =
    written.exec(start.split(/[{[]/).slice(0, 2).join('')) ?? new RegExp(`${written.source}\\s*}\\s*$`).exec(end) ?? []
  return id === undefined ? null : (JSON.parse(id) as RequestId)
}
