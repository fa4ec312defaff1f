import { Failure } from '../errors.js'
import { type MessageLimits, type MessageMeter, messageMeter } from './message-limits.js'

export interface HttpAddress {
  server: string
  url: string
  headers?: Record<string, string>
  /** The host's own fetch. */
  fetch: typeof fetch
  limits?: MessageLimits
}

/** How often reopening a stream may fail in a row. */
export const maxFailedReopens = 5

/** A fetch that limits the size of responses and reports a lost connection. */
export function limitedFetch({ server, fetch, limits }: HttpAddress, onLost: (failure: Failure) => void): typeof fetch {
  const meter = messageMeter(server, limits)
  let missed = 0
  return async (url, init = {}) => {
    const response = await fetch(url, init).catch((error: Error) => {
      init.signal?.throwIfAborted()
      const failure = new Failure('network', `The MCP server ${server} cannot be reached: ${reasonOf(error)}`)
      // Reopening a stream can be retried; a request cannot.
      if (init.method !== 'GET' || ++missed >= maxFailedReopens) onLost(failure)
      throw failure
    })
    missed = 0
    if (response.status === 401 || response.status === 403) throw authFailure(server, response, init)
    if (response.status === 404 && hasHeader(init, 'mcp-session-id')) {
      const failure = new Failure('network', `The session with the MCP server ${server} has expired. Reconnecting.`)
      onLost(failure)
      throw failure
    }
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const onExcess = (error: unknown) => onLost(error as Failure)
    return new Response(measuredBody(response.body, { meter, isStream, onExcess }), { status, statusText, headers })
  }
}

function authFailure(server: string, { status, headers }: Response, init: RequestInit): Failure {
  if (hasHeader(init, 'authorization')) {
    return new Failure('denied', `The MCP server ${server} rejected the key (${status}).`, {
      hint: 'Enter another key. If there is no field for it, remove the server and add it again.',
      command: `notewright mcp-servers remove ${server}`,
    })
  }
  const wantsBrowser = /resource_metadata|^\s*(bearer|dpop)\b/i.test(headers.get('www-authenticate') ?? '')
  const wish = wantsBrowser ? 'requires a browser sign-in, which is not supported yet' : 'requires a key'
  return new Failure('denied', `The MCP server ${server} ${wish} (${status}).`, {
    hint: 'If it accepts a key, enter one. If there is no field for it, remove the server and add it again.',
    command: `notewright mcp-servers add ${server} --url URL --header "Authorization: Bearer KEY"`,
  })
}

function hasHeader({ headers }: RequestInit, name: string): boolean {
  const values = headers as unknown as Headers | Record<string, string> | undefined
  if (typeof values?.get === 'function') return values.get(name) !== null
  return Object.keys(values ?? {}).some((each) => each.toLowerCase() === name)
}

/** Node's fetch has the reason in the cause. */
function reasonOf({ message, cause }: Error): string {
  const { code, message: causeMessage } = (cause ?? {}) as { code?: string; message?: string }
  return code ?? causeMessage ?? message
}

const lineFeed = 10
const carriageReturn = 13

/**
 * Reads a body as far as the meter allows: as one message, or event by event for a stream. Reports an excess once and
 * stops reading.
 */
function measuredBody(
  body: ReadableStream<Uint8Array>,
  { meter, isStream, onExcess }: { meter: MessageMeter; isStream: boolean; onExcess: (error: unknown) => void },
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const measure = isStream ? measureEvents(meter) : measureWhole(meter)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) return controller.close()
      try {
        measure(value)
        controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        onExcess(error)
        // The oversized response is reported, not a failing cancel.
        await reader.cancel(error).catch(() => undefined)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

function measureWhole(meter: MessageMeter): (bytes: Uint8Array) => void {
  let length = 0
  return (bytes) => {
    length += bytes.length
    meter.checkLength(length)
  }
}

/** Measures events, which end with an empty line. */
function measureEvents(meter: MessageMeter): (bytes: Uint8Array) => void {
  let length = 0
  let isLineEmpty = true
  let last = 0
  return (bytes) => {
    for (const byte of bytes) {
      length++
      const isEnd = byte === lineFeed || byte === carriageReturn
      const isSecondHalf = byte === lineFeed && last === carriageReturn
      last = byte
      if (isSecondHalf) continue
      if (isEnd && isLineEmpty) {
        meter.countUnasked()
        length = 0
      }
      isLineEmpty = isEnd
    }
    meter.checkLength(length)
  }
}
