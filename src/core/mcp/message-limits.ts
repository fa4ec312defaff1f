import { Failure } from '../errors.js'

export interface MessageLimits {
  /** Bytes of one message. */
  longest?: number
  /** Messages within ten seconds that nobody has asked for. */
  mostUnasked?: number
}

const windowMs = 10_000

/** How much a server may say. Throws when it says more: whoever floods is not listened to. */
export interface MessageMeter {
  countUnasked(): void
  checkLength(bytes: number): void
}

export function messageMeter(
  server: string,
  { longest = 10 << 20, mostUnasked = 5000 }: MessageLimits = {},
): MessageMeter {
  let unasked = 0
  let since = Date.now()
  const flood = (what: string) => new Failure('too-large', `The MCP server ${server} sent ${what}, so it was ended.`)
  return {
    countUnasked() {
      if (Date.now() - since > windowMs) [since, unasked] = [Date.now(), 0]
      if (++unasked > mostUnasked) throw flood(`more than ${mostUnasked} messages in ten seconds`)
    },
    checkLength(bytes) {
      if (bytes > longest) throw flood(`a message of more than ${longest} bytes`)
    },
  }
}
