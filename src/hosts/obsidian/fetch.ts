import { requestUrl } from 'obsidian'
import { Failure } from '../../core/errors.js'
import type { Fetch } from '../../core/providers/index.js'

interface ObsidianFetchOptions {
  /** Called once for each origin that cannot stream. */
  onBuffered: (origin: string) => void
  /** A public address of this origin; none if the first request may be sent twice. */
  harmless?: (origin: string) => string | undefined
}

/**
 * The way to a server. As a browser asks, so that words come as they are written; one that lets no app ask so answers
 * through Obsidian, in one piece. Which way it is, is remembered for as long as the app runs.
 *
 * A browser does not tell an answer that it may not show from a request that never began. So that nothing is done or paid
 * for twice, a server is first asked for something harmless, and what was sent to one whose answers can be read is not
 * sent again.
 */
export function obsidianFetch({ onBuffered, harmless }: ObsidianFetchOptions): Fetch {
  const ways = new Map<string, 'live' | 'in one piece'>()

  /** True if responses of this server can be read here. An unreachable server decides nothing. */
  async function isReadable(origin: string, address: string, headers: Headed, signal: Signal): Promise<boolean> {
    try {
      const look = { headers, signal: signal ?? null, cache: 'no-store', redirect: 'manual' } as const
      const answer = await window.fetch(harmless?.(origin) ?? address, look)
      void answer.body?.cancel()
      return true
    } catch (error) {
      if (!(error instanceof TypeError) || signal?.aborted) throw error
      return false
    }
  }

  return async (address, init = {}) => {
    const url = address instanceof Request ? address.url : String(address)
    const { origin } = new URL(url)
    const { signal } = init
    const headers = headersOf(init.headers)
    // Required by this provider for requests from browsers, including this app.
    if ('anthropic-version' in headers) headers['anthropic-dangerous-direct-browser-access'] = 'true'
    const mayComeTwice = (init.method ?? 'GET') === 'GET' || (harmless === undefined && !ways.has(origin))

    async function throughObsidian(): Promise<Response> {
      const answer = await inOnePiece(url, init, headers)
      if (!ways.has(origin)) {
        ways.set(origin, 'in one piece')
        onBuffered(origin)
      }
      return answer
    }

    if (!ways.has(origin) && !mayComeTwice) {
      if (!(await isReadable(origin, url, headers, signal))) return throughObsidian()
      ways.set(origin, 'live')
    }
    if (ways.get(origin) === 'in one piece') return throughObsidian()
    try {
      const answer = await window.fetch(url, { ...init, headers })
      ways.set(origin, 'live')
      return answer
    } catch (error) {
      if (!(error instanceof TypeError) || signal?.aborted) throw error
      if (mayComeTwice) return throughObsidian()
      ways.delete(origin)
      if (!(await isReadable(origin, url, headers, signal))) throw error
      // The server is reachable; only CORS blocks the response.
      ways.set(origin, 'in one piece')
      onBuffered(origin)
      throw unread(origin)
    }
  }
}

type Headed = Record<string, string>
type Signal = NonNullable<Parameters<Fetch>[1]>['signal']

function unread(origin: string): Failure {
  return new Failure('network', `${origin} may have received the request, but Obsidian could not read its answer.`, {
    hint: 'The request was not sent again, because that may cost money. Ask again: Notewright now uses another way to reach this server.',
  })
}

async function inOnePiece(url: string, init: Parameters<Fetch>[1] = {}, headers: Record<string, string>) {
  const { 'content-type': contentType, ...others } = headers
  const asked = requestUrl({
    url,
    method: init.method ?? 'GET',
    headers: others,
    throw: false,
    ...(contentType !== undefined && { contentType }),
    ...(typeof init.body === 'string' && { body: init.body }),
  })
  const answer = await abortable(asked, init.signal)
  // Same error as a failing network.
  if (answer.status === 0) throw new TypeError('Failed to fetch')
  const body = [101, 204, 205, 304].includes(answer.status) ? null : answer.arrayBuffer
  return new Response(body, { status: answer.status, headers: plainHeaders(answer.headers) })
}

function headersOf(given: unknown): Record<string, string> {
  return Object.fromEntries(new Headers(given as HeadersInit | undefined))
}

/** The body has been unpacked already. */
function plainHeaders(headers: Record<string, string>): Record<string, string> {
  const packed = new Set(['content-encoding', 'content-length', 'transfer-encoding'])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !packed.has(name.toLowerCase())))
}

/**
 * Fetch for an MCP server, directly, so that it can stream. A server that blocks cross-origin requests is queried
 * through Obsidian: its responses arrive whole, and it is told not to send messages in between.
 */
export function serverFetch(): typeof window.fetch {
  const inPieces = new Set<string>()
  // The stream begins with a greeting, possibly twice.
  const asked = obsidianFetch({ onBuffered: (origin) => inPieces.add(origin) })
  return async (address, init) => {
    const url = typeof address === 'string' ? address : address instanceof URL ? address.href : address.url
    const { origin } = new URL(url)
    const isListening = (init?.method ?? 'GET') === 'GET'
    if (isListening && inPieces.has(origin)) return new Response(null, { status: 405 })
    return asked(url, init)
  }
}

/** The request cannot be cancelled, but callers can stop waiting for it. */
export function abortable<T>(asked: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason as Error)
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
    asked
      .then(resolve, (error) => reject(new TypeError((error as Error).message)))
      .finally(() => signal?.removeEventListener('abort', stop))
  })
}
