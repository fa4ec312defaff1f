import type { Readable, Writable } from 'node:stream'
import { type JSONRPCMessage, parseJSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server'

export interface LineOptions {
  /** Bytes of one message. */
  longest?: number
  /** Requests that may wait for an answer at once. */
  mostOpen?: number
  /** How long requests are still answered when the input has ended. */
  lingerMs?: number
  onClosed?(): void
}

/**
 * Messages as lines of JSON. The SDK's own gives the connection up over a line that is too long; this one answers with
 * an error and goes on, since nobody else is there to start the server again.
 */
export function lineTransport(input: Readable, output: Writable, options: LineOptions = {}): Transport {
  const { longest = 10 << 20, mostOpen = 1000, lingerMs = 2000 } = options
  const lines = lineReader(longest, take, tooLong)
  const open = new Set<RequestId>()
  let isClosed = false
  let isEnding = false

  function take(line: string): void {
    if (line.trim() === '') return
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return refuse(null, -32700, 'Not JSON.')
    }
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(value)
    } catch {
      return refuse(idOf(value), -32600, Array.isArray(value) ? 'Send one message a line.' : 'Not a JSON-RPC message.')
    }
    if ('method' in message && 'id' in message) {
      if (open.size >= mostOpen) return refuse(message.id, -32000, 'Too many requests at once; wait for answers.')
      open.add(message.id)
    }
    self.onmessage?.(message)
  }

  function tooLong(start: string, end: string, bytes: number): void {
    refuse(idIn(start, end), -32600, `A message has at most ${longest} bytes; this one had ${bytes}.`)
  }

  function refuse(id: RequestId | null, code: number, message: string): void {
    write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => undefined)
  }

  function write(message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      // Whoever does not read what we say is not asked for more.
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

/** Bytes of a long line that are kept, to find out what it was. */
const keptBytes = 1024

function lineReader(
  longest: number,
  take: (line: string) => void,
  tooLong: (start: string, end: string, bytes: number) => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0

  function add(part: Buffer): void {
    bytes += part.length
    parts.push(part)
    if (bytes <= longest) return
    // Only its two ends, however long it grows.
    const all = Buffer.concat(parts)
    parts = [all.subarray(0, keptBytes), all.subarray(Math.max(keptBytes, all.length - keptBytes))]
  }

  function finish(): void {
    const [all, size] = [Buffer.concat(parts).toString('utf8'), bytes]
    parts = []
    bytes = 0
    if (size <= longest) take(all)
    else tooLong(all.slice(0, keptBytes), all.slice(-keptBytes), size)
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

function idOf(value: unknown): RequestId | null {
  const id = (value as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** The id of a message nobody wants to read: it stands before its parameters or at the very end. */
function idIn(start: string, end: string): RequestId | null {
  const written = /"id"\s*:\s*("[^"\\]{0,100}"|-?\d{1,15})/
  const found =
    written.exec(start.split(/[{[]/).slice(0, 2).join('')) ?? new RegExp(`${written.source}\\s*}\\s*$`).exec(end)
  return found === null ? null : (JSON.parse(found[1]) as RequestId)
}
