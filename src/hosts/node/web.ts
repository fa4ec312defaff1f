import { Failure } from '../../core/errors.js'
import type { Web, WebRequest, WebResponse } from '../../core/tools/index.js'
import { checkUrl, decodeText, pageTooSlow, redirectsElsewhere, tooManyRedirects } from '../../core/web/index.js'
import {
  checkedAddresses,
  exchange,
  isRedirect,
  type ReceivedResponse,
  type Resolve,
  systemResolve,
} from './web-exchange.js'

interface WebLimits {
  /** After decompression. */
  maxBytes: number
  /** Timeout for everything: name lookup, redirects, body. */
  timeMs: number
  redirects: number
  ports: readonly number[]
}

export interface NodeWebOptions {
  userAgent: string
  limits?: Partial<WebLimits>
  /** Additional certificate authorities as PEM text, for a network that signs its own certificates. */
  certificateAuthorities?: string
  /** Resolves names. Default: the system's resolver. */
  resolve?: Resolve
  /** For tests alone: where a connection to an address that passed the check really goes. Never a setting. */
  connect?(address: string, port: number): { address: string; port: number }
}

const defaultLimits: WebLimits = { maxBytes: 5_000_000, timeMs: 20_000, redirects: 5, ports: [80, 443, 8080, 8443] }

/** Web access: every name is resolved and checked once, and the connection uses the checked address. */
export function nodeWeb(options: NodeWebOptions): Web {
  const limits = { ...defaultLimits, ...options.limits }

  return {
    async get(address, request) {
      request.signal.throwIfAborted()
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(pageTooSlow(limits.timeMs)), limits.timeMs)
      const signal = AbortSignal.any([request.signal, late.signal])
      try {
        return await fetchFollowingRedirects(address, { ...request, signal }, limits, options)
      } finally {
        clearTimeout(timer)
      }
    },
    async readable(html, url) {
      const { readablePage } = await import('./readable-page.js')
      return readablePage(html, url)
    },
  }
}

async function fetchFollowingRedirects(
  address: string,
  request: WebRequest,
  limits: WebLimits,
  options: NodeWebOptions,
): Promise<WebResponse> {
  const { signal, configured = false } = request
  let step: RequestStep = {
    url: checkUrl(address, { ports: limits.ports, configured }),
    method: request.method ?? 'GET',
    headers: { accept: '*/*', 'user-agent': options.userAgent, ...lowerCase(request.headers ?? {}) },
    body: request.body,
  }
  const first = bareHost(step.url)
  for (let redirects = 0; ; redirects++) {
    const addresses = await abortable(checkedAddresses(step.url, options.resolve ?? systemResolve, configured), signal)
    const answer = await exchange({
      ...step,
      addresses,
      signal,
      maxBytes: request.maxBytes ?? limits.maxBytes,
      certificateAuthorities: options.certificateAuthorities,
      connect: options.connect ?? ((address, port) => ({ address, port })),
    })
    if (!isRedirect(answer.status, answer.headers)) return toWebResponse(step.url, answer)
    if (redirects === limits.redirects) {
      throw tooManyRedirects(limits.redirects, step.url)
    }
    step = nextStep(step, answer, limits, configured)
    if (request.sameHost && bareHost(step.url) !== first) throw redirectsElsewhere(first, step.url.href)
  }
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '')

interface RequestStep {
  url: URL
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | undefined
}

/** Each redirect is checked like a new address. Another origin receives no body and no private headers. */
function nextStep(
  step: RequestStep,
  { status, headers }: ReceivedResponse,
  limits: WebLimits,
  configured: boolean,
): RequestStep {
  // Header text arrives byte by byte; addresses in it are UTF-8.
  const location = Buffer.from(headers.location ?? '', 'latin1').toString('utf8')
  const target = URL.canParse(location, step.url.href) ? new URL(location, step.url).href : location
  const url = checkUrl(target, { ports: limits.ports, configured, isRedirect: true })
  url.hash ||= step.url.hash
  const sameOrigin = url.origin === step.url.origin
  if (configured && !sameOrigin) {
    throw new Failure('denied', `${step.url.host} redirects to ${url.host}, which is not configured.`)
  }
  const keepsBody = status === 307 || status === 308 || step.method === 'GET'
  if (!keepsBody) return { url, method: 'GET', headers: withoutHeaders(step.headers, ['content-type'], sameOrigin) }
  if (step.body !== undefined && !sameOrigin) {
    throw new Failure('denied', `${step.url.host} redirects to ${url.host}, which was not requested.`)
  }
  return { ...step, url, headers: withoutHeaders(step.headers, [], sameOrigin) }
}

function withoutHeaders(
  headers: Record<string, string>,
  dropped: string[],
  sameOrigin: boolean,
): Record<string, string> {
  const harmless = ['accept', 'accept-language', 'user-agent']
  const kept = Object.entries(headers).filter(
    ([name]) => !dropped.includes(name) && (sameOrigin || harmless.includes(name)),
  )
  return Object.fromEntries(kept)
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const bad = entries.find(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value))
  if (bad !== undefined) throw new Failure('invalid-input', `The header ${bad[0]} contains an invalid character.`)
  return Object.fromEntries(entries)
}

function toWebResponse(url: URL, { status, headers, bytes }: ReceivedResponse): WebResponse {
  return { url: url.href, status, headers, text: decodeText(bytes, headers['content-type'] ?? '') }
}

/** Makes a name lookup abortable, which has no signal of its own. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
