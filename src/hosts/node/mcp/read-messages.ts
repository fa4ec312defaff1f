import { StringDecoder } from 'node:string_decoder'
import { Failure } from '../../../core/errors.js'
import { isRecord } from '../../../core/is-record.js'

export interface MessageLimits {
  /** Bytes of one line. */
  longest?: number
  /** Lines within ten seconds that nobody has asked for: notifications, requests, and what is no message at all. */
  mostUnasked?: number
}

export type Message = Record<string, unknown> & { jsonrpc: '2.0' }

const windowMs = 10_000

/** Cuts what a server writes into messages. Throws when it writes too much: whoever floods is not listened to. */
export function messageReader(
  server: string,
  onMessage: (message: Message) => void,
  { longest = 10 << 20, mostUnasked = 5000 }: MessageLimits = {},
): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest: string[] = []
  let length = 0
  let unasked = 0
  let since = Date.now()

  function count(): void {
    if (Date.now() - since > windowMs) [since, unasked] = [Date.now(), 0]
    if (++unasked > mostUnasked) throw flood(server, `more than ${mostUnasked} messages in ten seconds`)
  }

  function checkLength(characters: number): void {
    if (characters > longest) throw flood(server, `a message of more than ${longest} bytes`)
  }

  function take(line: string): void {
    if (line.trim() === '') return
    const message = parsed(line)
    if (message === undefined || 'method' in message) count()
    if (message !== undefined) onMessage(message)
  }

  return (bytes) => {
    const [first, ...more] = decoder.write(bytes).split('\n')
    rest.push(first)
    length += first.length
    for (const start of more) {
      const line = rest.join('')
      ;[rest, length] = [[start], start.length]
      checkLength(line.length)
      take(line)
    }
    checkLength(length)
  }
}

/** Many servers print a greeting where only messages should be: it is passed over. */
function parsed(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) && value.jsonrpc === '2.0' ? (value as Message) : undefined
  } catch {
    return undefined
  }
}

const flood = (server: string, what: string): Failure =>
  new Failure('too-large', `The MCP server ${server} sent ${what}, so it was ended.`)
