import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import type { Failure } from '../../core/errors.js'
import type { BrowserLogins, SignedInBrowser } from '../../hosts/node/web-page.js'
import { type RequestHead, refusal, type ServerEnv } from '../server/index.js'

/**
 * Login of a browser to the page: the code of a link is exchanged once for a credential. The page keeps it in the
 * storage of its origin and sends it as `Authorization: Bearer …`. A cookie would go to every port of this machine.
 */
export interface PageLogin {
  /** For a link: good once, for two minutes. */
  newCode(): string
  /** True if a request to `/api` may be answered, and otherwise why not. */
  admit(request: RequestHead): true | Failure
  /** The signed-in browser that sent this header. */
  browserOf(authorization: string | undefined): SignedInBrowser | undefined
  /** Adds the route that exchanges a code. `url`: where the page is served. */
  mount(routes: Hono<ServerEnv>, url: string): void
}

const loginPath = '/api/login'
const codeMs = 2 * 60_000

export function pageLogin(logins: BrowserLogins, now: () => number = Date.now): PageLogin {
  const codes = new Map<string, number>()
  let port = 0

  function browserOf(authorization: string | undefined): SignedInBrowser | undefined {
    const credential = /^Bearer (nwb_[\w-]{43})$/.exec(authorization ?? '')?.[1]
    return credential === undefined ? undefined : logins.find(credential, port)
  }

  /** Each code is checked once, even if it has expired. */
  function useCode(code: unknown): boolean {
    const until = typeof code === 'string' ? codes.get(code) : undefined
    if (until === undefined) return false
    codes.delete(code as string)
    return now() <= until
  }

  return {
    newCode() {
      const code = randomBytes(24).toString('base64url')
      codes.set(code, now() + codeMs)
      return code
    },
    admit(request) {
      const isLogin = request.method === 'POST' && request.path === loginPath
      if (!isLogin && browserOf(request.one('authorization')) === undefined) return notSignedIn()
      return isReading(request) || isFromOwnPage(request) ? true : otherOrigin()
    },
    browserOf,
    mount(routes, url) {
      port = Number(new URL(url).port || 80)
      routes.post('/login', async (c) => {
        if (!useCode((c.get('body') as { code?: unknown } | undefined)?.code)) {
          const text = 'This link was already used or has expired.'
          return c.json({ ok: false, code: 'denied', text, hint: 'Start notewright web again to get a new link.' }, 403)
        }
        // A browser that is signed in already keeps its credential, however many links it opens.
        if (browserOf(c.req.header('authorization')) !== undefined) return c.json({ ok: true })
        const name = browserName(c.req.header('user-agent'))
        return c.json({ ok: true, credential: await logins.add({ name, port }) })
      })
    },
  }
}

const isReading = ({ method }: RequestHead): boolean => method === 'GET' || method === 'HEAD'

/** A browser names the origin with every request that may change something. */
function isFromOwnPage({ one }: RequestHead): boolean {
  return one('host') !== undefined && one('origin') === `http://${one('host')}`
}

const notSignedIn = (): Failure =>
  refusal({
    status: 401,
    code: 'not_signed_in',
    message: "This browser isn't signed in. Run notewright web and open the link it prints.",
  })

const otherOrigin = (): Failure =>
  refusal({ status: 403, code: 'origin_not_allowed', message: 'Only the page itself may change something.' })

/** By the user agent, the first that fits: most browsers also name those they are compatible with. */
const browsers: Record<string, RegExp> = {
  Edge: /\bEdg/,
  Opera: /\bOPR\//,
  Firefox: /\b(?:Firefox|FxiOS)\//,
  Chrome: /\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//,
  Safari: /\bSafari\//,
}
const systems: Record<string, RegExp> = {
  Android: /Android/,
  iPhone: /iPhone/,
  iPad: /iPad/,
  Windows: /Windows/,
  macOS: /Mac OS X|Macintosh/,
  ChromeOS: /\bCrOS\b/,
  Linux: /Linux|X11/,
}

/** "Firefox on Linux", for the list of signed-in browsers. */
export function browserName(userAgent = ''): string {
  const first = (names: Record<string, RegExp>) =>
    Object.entries(names).find(([, pattern]) => pattern.test(userAgent))?.[0]
  const [browser, system] = [first(browsers) ?? 'Browser', first(systems)]
  return system === undefined ? browser : `${browser} on ${system}`
}
