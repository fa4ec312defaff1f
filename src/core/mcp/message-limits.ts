import { Failure } from '../errors.js'

export interface MessageLimits {
  /** Maximum bytes of one message. */
  maxMessageBytes?: number
  /** Maximum number of unsolicited messages within ten seconds. */
  maxUnsolicited?: number
}

const windowMs = 10_000

export type MessageMeter = ReturnType<typeof messageMeter>

/** Checks how much a server sends. Throws when it sends too much. */
export function messageMeter(
  server: string,
  { maxMessageBytes: longest = 10 << 20, maxUnsolicited: mostUnasked = 5000 }: MessageLimits = {},
) {
  let unasked = 0
  let windowStart = Date.now()
  const flood = (what: string) =>
    new Failure('too-large', `The MCP server ${server} sent ${what}, so it was disconnected.`)
  return {
    countUnasked(): void {
      if (Date.now() - windowStart > windowMs) [windowStart, unasked] = [Date.now(), 0]
      if (++unasked > mostUnasked) throw flood(`more than ${mostUnasked} messages in ten seconds`)
    },
    checkLength(bytes: number): void {
      if (bytes > longest) throw flood(`a message of more than ${longest} bytes`)
    },
  }
}
