import { Failure } from '../../../core/errors.js'
import type { Web, WebRequest, WebResponse } from '../../../core/tools/index.js'
import { checkUrl, decodeText } from '../../../core/web/index.js'
import { checkedAddresses, type Resolve, systemResolve } from './checked-addresses.js'
import { exchange, type Incoming, isRedirect } from './exchange.js'

export interface WebLimits {
  /** After decompression. */
  maxBytes: number
  /** For everything: looking up, every redirect, the whole body. */
  timeMs: number
  redirects: number
  ports: readonly number[]
}

export interface NodeWebOptions {
  userAgent: string
  limits?: Partial<WebLimits>
  /** Trusted besides the usual ones: PEM text, for a network that signs its own certificates. */
  certificateAuthorities?: string
  /** How names are looked up; the system's way by default. */
  resolve?: Resolve
  /** For tests alone: where a connection to an address that passed the check really goes. Never a setting. */
  connect?(address: string, port: number): { address: string; port: number }
}

const usualLimits: WebLimits = { maxBytes: 5_000_000, timeMs: 20_000, redirects: 5, ports: [80, 443, 8080, 8443] }

/** The way out of this machine: every name is resolved and checked once, and the connection goes where the check went. */
export function nodeWeb(options: NodeWebOptions): Web {
  const limits = { ...usualLimits, ...options.limits }

  return {
    async get(address, request) {
      request.signal.throwIfAborted()
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(tooSlow(limits.timeMs)), limits.timeMs)
      const signal = AbortSignal.any([request.signal, late.signal])
      try {
        return await follow(address, { ...request, signal }, limits, options)
      } finally {
        clearTimeout(timer)
      }
    },
    async readable(html, url) {
      const { readablePage } = await import('./readable/readable-page.js')
      return readablePage(html, url)
    },
  }
}

async function follow(
  address: string,
  request: WebRequest,
  limits: WebLimits,
  options: NodeWebOptions,
): Promise<WebResponse> {
  const { signal, configured = false } = request
  let step: Step = {
    url: checkUrl(address, { ports: limits.ports, configured }),
    method: request.method ?? 'GET',
    headers: { accept: '*/*', 'user-agent': options.userAgent, ...lowerCase(request.headers ?? {}) },
    body: request.body,
  }
  const first = bareHost(step.url)
  for (let redirects = 0; ; redirects++) {
    const addresses = await interruptible(
      checkedAddresses(step.url, options.resolve ?? systemResolve, configured),
      signal,
    )
    const answer = await exchange({
      ...step,
      addresses,
      signal,
      maxBytes: request.maxBytes ?? limits.maxBytes,
      certificateAuthorities: options.certificateAuthorities,
      connect: options.connect ?? ((address, port) => ({ address, port })),
    })
    if (!isRedirect(answer.status, answer.headers)) return shown(step.url, answer)
    if (redirects === limits.redirects) {
      throw new Failure('network', `More than ${limits.redirects} redirects, the last from ${step.url.host}.`)
    }
    step = nextStep(step, answer, limits, configured)
    if (request.sameHost && bareHost(step.url) !== first) throw leadsElsewhere(first, step.url)
  }
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '')

function leadsElsewhere(from: string, to: URL): Failure {
  return new Failure('denied', `${from} leads on to another site, which nobody was asked about: ${to.href}`, {
    hint: 'If that page is wanted, ask for its address.',
  })
}

interface Step {
  url: URL
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

/** Each hop is checked like a new address. To another origin goes nothing but the wish to see it. */
function nextStep(step: Step, { status, headers }: Incoming, limits: WebLimits, configured: boolean): Step {
  // Header text arrives byte by byte; addresses in it are UTF-8.
  const location = Buffer.from(headers.location, 'latin1').toString('utf8')
  const target = URL.canParse(location, step.url.href) ? new URL(location, step.url).href : location
  const url = redirected(() => checkUrl(target, { ports: limits.ports, configured }))
  url.hash ||= step.url.hash
  const sameOrigin = url.origin === step.url.origin
  if (configured && !sameOrigin) {
    throw new Failure('denied', `${step.url.host} sends requests on to ${url.host}, which is not what was configured.`)
  }
  const keepsBody = status === 307 || status === 308 || step.method === 'GET'
  if (!keepsBody) return { url, method: 'GET', headers: without(step.headers, ['content-type'], sameOrigin) }
  if (step.body !== undefined && !sameOrigin) {
    throw new Failure(
      'denied',
      `${step.url.host} wants the request sent to ${url.host} instead, which was not asked for.`,
    )
  }
  return { ...step, url, headers: without(step.headers, [], sameOrigin) }
}

function redirected<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.code, error.message.replace('Not loaded:', 'Redirect not followed:'), error.details)
  }
}

function without(headers: Record<string, string>, dropped: string[], sameOrigin: boolean): Record<string, string> {
  const harmless = ['accept', 'accept-language', 'user-agent']
  const kept = Object.entries(headers).filter(
    ([name]) => !dropped.includes(name) && (sameOrigin || harmless.includes(name)),
  )
  return Object.fromEntries(kept)
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const bad = entries.find(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value))
  if (bad !== undefined) throw new Failure('invalid-input', `The header ${bad[0]} has a character that cannot be sent.`)
  return Object.fromEntries(entries)
}

function shown(url: URL, { status, headers, bytes }: Incoming): WebResponse {
  return { url: url.href, status, headers, text: decodeText(bytes, headers['content-type'] ?? '') }
}

/** For what cannot be stopped itself: looking up a name. */
function interruptible<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function tooSlow(timeMs: number): Failure {
  return new Failure('timeout', `The page did not arrive within ${timeMs / 1000} seconds.`)
}
