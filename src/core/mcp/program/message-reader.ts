import { isRecord } from '../../is-record.js'
import { type MessageLimits, messageMeter } from '../message-limits.js'

type Message = Record<string, unknown> & { jsonrpc: '2.0' }

/** Cuts what a server writes into messages. Throws when it writes too much: whoever floods is not listened to. */
export function messageReader(
  server: string,
  onMessage: (message: Message) => void,
  limits?: MessageLimits,
): (bytes: Uint8Array) => void {
  const meter = messageMeter(server, limits)
  const decoder = new TextDecoder()
  let rest: string[] = []
  let length = 0

  function take(line: string): void {
    if (line.trim() === '') return
    const message = parsed(line)
    if (message === undefined || 'method' in message) meter.countUnasked()
    if (message !== undefined) onMessage(message)
  }

  return (bytes) => {
    const [first, ...more] = decoder.decode(bytes, { stream: true }).split('\n')
    rest.push(first)
    length += first.length
    for (const start of more) {
      const line = rest.join('')
      ;[rest, length] = [[start], start.length]
      meter.checkLength(line.length)
      take(line)
    }
    meter.checkLength(length)
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
