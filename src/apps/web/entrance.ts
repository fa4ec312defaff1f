import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { RequestHead } from '../server/index.js'

/** How a browser comes in: with a code that opens once and soon expires, and from then on with a cookie. */
export interface Entrance {
  /** For a link; never the token. */
  newCode(): string
  /** The cookie for whoever brings a code that is still good. */
  enter(code: unknown): string | undefined
  /** Whether a request brings a cookie of ours. */
  isKnown(request: Pick<RequestHead, 'one'>): boolean
  /** Cookies of one host are shared by all its ports, so that each server has its own name for them. */
  setPort(port: string): void
}

const codeMs = 2 * 60_000

/** Cookies are signed with the server's token, so that a page stays open when the server is started again. */
export function entrance(token: string, now: () => number = Date.now): Entrance {
  const codes = new Map<string, number>()
  let name = 'notewright'

  const signed = (value: string): string =>
    `${value}.${createHmac('sha256', token).update(`web ${value}`).digest('hex')}`

  return {
    newCode() {
      const code = randomBytes(24).toString('base64url')
      codes.set(code, now() + codeMs)
      return code
    },
    enter(code) {
      const until = typeof code === 'string' ? codes.get(code) : undefined
      if (until === undefined) return undefined
      codes.delete(code as string)
      if (now() > until) return undefined
      // Only this server hears of it, only with requests of its own pages, and no script reads it.
      return `${name}=${signed(randomBytes(16).toString('hex'))}; Path=/api; HttpOnly; SameSite=Strict`
    },
    isKnown(request) {
      const given = cookiesOf(request.one('cookie')).get(name)
      return given !== undefined && isSame(given, signed(given.split('.')[0]))
    },
    setPort(port) {
      name = `notewright-${port}`
    },
  }
}

function cookiesOf(header = ''): Map<string, string> {
  return new Map(
    header.split(';').map((pair): [string, string] => {
      const [key, ...rest] = pair.trim().split('=')
      return [key, rest.join('=')]
    }),
  )
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}
