import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { isRecord } from '../../../core/is-record.js'

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
    const value = parsed(line)
    const why = whyRefused(value)
    if (why !== undefined) refuse(idOf(value), ...why)
    else receive(value as JSONRPCMessage)
  }

  function whyRefused(value: unknown): [code: number, message: string] | undefined {
    if (value === undefined) return [-32700, 'Not JSON.']
    if (Array.isArray(value)) return [-32600, 'Send one message a line.']
    if (!isMessage(value)) return [-32600, 'Not a JSON-RPC message.']
    const isFull = 'method' in value && 'id' in value && open.size >= mostOpen
    return isFull ? [-32000, 'Too many requests at once; wait for answers.'] : undefined
  }

  function receive(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) open.add(message.id)
    // What was cancelled is not answered any more.
    else if ('method' in message && message.method === 'notifications/cancelled') {
      open.delete(message.params?.requestId as RequestId)
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

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Its form alone: what a method takes is looked at where it is known. */
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

/** The id of a message nobody wants to read: it stands before its parameters or at the very end. */
function idIn(start: string, end: string): RequestId | null {
  const written = /"id"\s*:\s*("[^"\\]{0,100}"|-?\d{1,15})/
  const found =
    written.exec(start.split(/[{[]/).slice(0, 2).join('')) ?? new RegExp(`${written.source}\\s*}\\s*$`).exec(end)
  return found === null ? null : (JSON.parse(found[1]) as RequestId)
}
