import type { Fetch } from './provider.js'

/** A request that is about to leave. */
export interface OutgoingRequest {
  provider: string
  model: string
  /** Without anything that may be secret in it. */
  destination: string
  bytes: number
  sha256: string
  /** What is sent. */
  body: string
}

/** A fetch that tells of every request before it leaves, repeated ones too. What cannot be told of does not leave. */
export function announcedFetch(
  fetch: Fetch,
  about: Pick<OutgoingRequest, 'provider' | 'model'>,
  tell: (request: OutgoingRequest) => Promise<void>,
): Fetch {
  return async (url, init = {}) => {
    const body = typeof init.body === 'string' ? init.body : new TextDecoder().decode((init.body ?? undefined) as never)
    const destination = String(url instanceof Object && 'url' in url ? url.url : url).replace(/[?#].*$/s, '')
    await tell(await outgoing(body, { ...about, destination }))
    return fetch(url, init)
  }
}

/** What is written down of a request. */
export async function outgoing(
  body: string,
  about: Pick<OutgoingRequest, 'provider' | 'model' | 'destination'>,
): Promise<OutgoingRequest> {
  const bytes = new TextEncoder().encode(body)
  return { ...about, bytes: bytes.length, sha256: await sha256(bytes), body }
}

/** By the platform's own function: whoever only names a provider loads no package for it. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
