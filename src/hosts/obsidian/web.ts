import { requestUrl } from 'obsidian'
import { Failure } from '../../core/errors.js'
import { linkedAbort } from '../../core/model/index.js'
import type { Web, WebRequest, WebResponse } from '../../core/tools/index.js'
import { checkUrl, decodeText, notPublic } from '../../core/web/index.js'
import { unlessStopped } from './unless-stopped.js'

const ports = [80, 443, 8080, 8443]
const mostBytes = 5_000_000
const mostMs = 20_000
const mostRedirects = 5

/**
 * The way to the web through Obsidian. Nothing here can look a name up, and Obsidian follows redirects without a word:
 * addresses of this machine and its network are refused as far as they are written, and the person is told the rest.
 */
export const obsidianWeb: Web = {
  caution:
    'Where this name leads cannot be checked here: it may be a machine in your own network. Obsidian follows redirects by itself, and only those it hands back are checked. Allow addresses you know.',
  async get(address, request) {
    request.signal.throwIfAborted()
    const late = new AbortController()
    const timer = window.setTimeout(() => late.abort(tooSlow()), mostMs)
    const stop = linkedAbort(late.signal, request.signal)
    try {
      return await load(address, { ...request, signal: stop.signal })
    } finally {
      stop.release()
      window.clearTimeout(timer)
    }
  },
  async readable(html, url) {
    const { readableHere } = await import('./readable-here.js')
    return readableHere(html, url)
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
    const answer = await unlessStopped(asked, signal).catch((error: Error) => {
      signal.throwIfAborted()
      throw new Failure('network', `Could not load from ${url.host}: ${error.message}`)
    })
    const headers = lowerCase(answer.headers)
    const isRedirect = answer.status >= 300 && answer.status < 400 && headers.location !== undefined
    if (!isRedirect) {
      const bytes = new Uint8Array(answer.arrayBuffer)
      if (bytes.length > maxBytes) throw new Failure('too-large', `${url.host} sent more than ${maxBytes} bytes.`)
      const text = decodeText(bytes, headers['content-type'] ?? '')
      return { url: url.href, status: answer.status, headers, text }
    }
    // Some systems leave them to us; each is then looked at like a new address.
    if (request.body !== undefined || configured) throw leadsElsewhere(url.host, headers.location)
    url = checked(new URL(headers.location, url).href, false)
    if (request.sameHost && bareHost(url) !== first) throw leadsElsewhere(first, url.href)
  }
  throw new Failure('network', `More than ${mostRedirects} redirects, the last from ${url.host}.`)
}

/** An address that is a number says nothing of who is there, and most of them are machines nearby. */
function checked(address: string, configured: boolean): URL {
  const url = checkUrl(address, { ports, configured })
  const isNumber = /^[\d.]+$|^\[/.test(url.hostname)
  if (!configured && (isNumber || !url.hostname.includes('.'))) throw notPublic(url.hostname)
  return url
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '')

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function leadsElsewhere(from: string, to: string): Failure {
  return new Failure('denied', `${from} leads on to another site, which nobody was asked about: ${to}`, {
    hint: 'If that page is wanted, ask for its address.',
  })
}

function tooSlow(): Failure {
  return new Failure('timeout', `The page did not arrive within ${mostMs / 1000} seconds.`)
}
