import { Failure } from '../errors.js'
import { measuredBody } from './measured-body.js'
import { type MessageLimits, messageMeter } from './message-limits.js'

export interface HttpAddress {
  server: string
  url: string
  headers?: Record<string, string>
  /** The host's. */
  fetch: typeof fetch
  limits?: MessageLimits
}

type Fetch = typeof fetch

/** So often a stream that is opened again may fail in a row. */
export const mostMissed = 5

/** A fetch that knows when the server is gone, and reads no more of an answer than may be. */
export function watchedFetch({ server, fetch, limits }: HttpAddress, lost: (failure: Failure) => void): Fetch {
  const meter = messageMeter(server, limits)
  let missed = 0
  return async (url, init = {}) => {
    const response = await fetch(url, init).catch((error: Error) => {
      init.signal?.throwIfAborted()
      const failure = new Failure('network', `The MCP server ${server} cannot be reached: ${reasonOf(error)}`)
      // A stream that is opened again has time; a question has not.
      if (init.method !== 'GET' || ++missed >= mostMissed) lost(failure)
      throw failure
    })
    missed = 0
    if (response.status === 401 || response.status === 403) throw notLetIn(server, response, init)
    if (response.status === 404 && hasHeader(init, 'mcp-session-id')) {
      const failure = new Failure('network', `The MCP server ${server} has forgotten us, and is greeted again.`)
      lost(failure)
      throw failure
    }
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const onExcess = (error: unknown) => lost(error as Failure)
    return new Response(measuredBody(response.body, { meter, isStream, onExcess }), { status, statusText, headers })
  }
}

function notLetIn(server: string, { status, headers }: Response, init: RequestInit): Failure {
  if (hasHeader(init, 'authorization')) {
    return new Failure('denied', `The MCP server ${server} does not accept the key it was sent (${status}).`, {
      hint: 'Give it another one, where needed by removing it and adding it again.',
      command: `notewright mcp-servers remove ${server}`,
    })
  }
  const wantsBrowser = /resource_metadata|^\s*(bearer|dpop)\b/i.test(headers.get('www-authenticate') ?? '')
  const wish = wantsBrowser ? 'wants you to sign in with a browser, which is not possible yet' : 'wants a key'
  return new Failure('denied', `The MCP server ${server} ${wish} (${status}).`, {
    hint: 'If it takes a key, give it one, where needed by removing it and adding it again.',
    command: `notewright mcp-servers add ${server} --url URL --header "Authorization: Bearer KEY"`,
  })
}

function hasHeader({ headers }: RequestInit, name: string): boolean {
  const given = headers as unknown as Headers | Record<string, string> | undefined
  if (typeof given?.get === 'function') return given.get(name) !== null
  return Object.keys(given ?? {}).some((each) => each.toLowerCase() === name)
}

/** Node says only that it failed; why stands in the cause. */
function reasonOf({ message, cause }: Error): string {
  const { code, message: deeper } = (cause ?? {}) as { code?: string; message?: string }
  return code ?? deeper ?? message
}
