import { requestUrl } from 'obsidian'
import type { Fetch } from '../../core/providers/index.js'
import { unlessStopped } from './unless-stopped.js'

/**
 * The way to a provider. First as a browser asks, so that words come as they are written. A server that lets no app ask
 * so answers through Obsidian, in one piece; that is remembered for as long as the app runs, and told once.
 */
export function obsidianFetch(onBuffered: (origin: string) => void): Fetch {
  const buffered = new Set<string>()
  return async (address, init = {}) => {
    const url = address instanceof Request ? address.url : String(address)
    const { origin } = new URL(url)
    const headers = headersOf(init.headers)
    // Without it this provider answers no browser, and an app is one.
    if ('anthropic-version' in headers) headers['anthropic-dangerous-direct-browser-access'] = 'true'
    if (buffered.has(origin)) return inOnePiece(url, init, headers)
    try {
      return await window.fetch(url, { ...init, headers })
    } catch (error) {
      // Only a request that never began is made again.
      if (!(error instanceof TypeError) || init.signal?.aborted) throw error
      const answer = await inOnePiece(url, init, headers)
      if (!buffered.has(origin)) onBuffered(origin)
      buffered.add(origin)
      return answer
    }
  }
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
  const answer = await unlessStopped(asked, init.signal)
  // As a network that does not answer says it.
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
