import { requestUrl } from 'obsidian'
import { Failure } from '../../core/errors.js'
import { linkedAbort } from '../../core/model/index.js'
import type { Web, WebRequest, WebResponse } from '../../core/tools/index.js'
import {
  checkUrl,
  decodeText,
  notPublic,
  pageTooSlow,
  redirectsElsewhere,
  tooManyRedirects,
} from '../../core/web/index.js'
import { abortable } from './fetch.js'

const ports = [80, 443, 8080, 8443]
const mostBytes = 5_000_000
const mostMs = 20_000
const mostRedirects = 5

/**
 * Web access through Obsidian. Names cannot be resolved here, and Obsidian follows redirects silently: literal
 * addresses of this computer and its network are refused, and the user is warned of the rest.
 */
export const obsidianWeb: Web = {
  caution:
    "Obsidian can't check which address this name points to: it may be a computer in your own network. Obsidian follows redirects automatically, and Notewright sees only some of them. Allow only addresses you know.",
  async get(address, request) {
    request.signal.throwIfAborted()
    const late = new AbortController()
    const timer = window.setTimeout(() => late.abort(pageTooSlow(mostMs)), mostMs)
    const stop = linkedAbort(late.signal, request.signal)
    try {
      return await load(address, { ...request, signal: stop.signal })
    } finally {
      stop.release()
      window.clearTimeout(timer)
    }
  },
  async readable(html, url) {
    const { readablePage } = await import('./readable-page.js')
    return readablePage(html, url)
  },
}

async function load(address: string, request: WebRequest): Promise<WebResponse> {
  const { configured = false, maxBytes = mostBytes, signal } = request
  let url = checked(address, configured)
  const first = bareHost(url)
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const asked = requestUrl({
      url: url.href,
      method: request.method ?? 'GET',
      throw: false,
      ...(request.headers && { headers: request.headers }),
      ...(request.body !== undefined && { body: request.body }),
    })
    const answer = await abortable(asked, signal).catch((error: Error) => {
      signal.throwIfAborted()
      throw new Failure('network', `Could not load from ${url.host}: ${error.message}`)
    })
    const headers = lowerCase(answer.headers)
    const { location } = headers
    if (answer.status < 300 || answer.status >= 400 || location === undefined) {
      const bytes = new Uint8Array(answer.arrayBuffer)
      if (bytes.length > maxBytes) throw new Failure('too-large', `${url.host} sent more than ${maxBytes} bytes.`)
      const text = decodeText(bytes, headers['content-type'] ?? '')
      return { url: url.href, status: answer.status, headers, text }
    }
    // Some systems return redirects to us; each target is checked like a new address.
    if (request.body !== undefined || configured) throw redirectsElsewhere(url.host, location)
    url = checked(new URL(location, url).href, false)
    if (request.sameHost && bareHost(url) !== first) throw redirectsElsewhere(first, url.href)
  }
  throw tooManyRedirects(mostRedirects, url)
}

/** A numeric address does not identify its owner, and is usually a computer nearby. */
function checked(address: string, configured: boolean): URL {
  const url = checkUrl(address, { ports, configured })
  const isNumber = /^[\d.]+$|^\[/.test(url.hostname)
  if (!configured && (isNumber || !url.hostname.includes('.'))) throw notPublic(url.hostname)
  return url
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '')

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
