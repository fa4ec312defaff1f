import {
  addressHint,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LinkedAbort,
  linkedAbort,
  type ModelContext,
  modelFailure,
  modelFailureFrom,
} from '../model/index.js'
import type { Fetch, RequestSignal } from './provider.js'

// The connection to a provider: every request is logged before it leaves, and a silent or wrong server is given up.

interface FetchOptions {
  /** The longest silence before the provider counts as stalled. */
  stallMs: number
  /** The limit before the first word of the answer, while the prompt is still being read. Default: `stallMs`. */
  firstMs?: number
  context: ModelContext
  /** Logs every request before it leaves, retries too. A request that cannot be logged does not leave. */
  log?: RequestLog | undefined
}

interface RequestLog {
  about: Pick<OutgoingRequest, 'provider' | 'model'>
  write: (request: OutgoingRequest) => Promise<void>
}

/** A request that is about to leave. */
export interface OutgoingRequest {
  provider: string
  model: string
  /** Without secrets. */
  destination: string
  bytes: number
  sha256: string
  /** The request body. */
  body: string
}

export const defaultStallMs = 60_000

/** A reply that is not streamed is silent until it is complete. */
const onePieceFactor = 5

/** Fewer bytes than this without a line end count as silence. */
const minBytesPerLimit = 1024

/**
 * The fetch that models use. It logs requests, gives up on a provider that sends nothing (or single bytes), refuses
 * redirects, which would carry keys to another host, and detects a web page in place of an API.
 */
export function providerFetch(fetch: Fetch, { stallMs, firstMs = stallMs, context, log }: FetchOptions): Fetch {
  return async (url, init = {}) => {
    const { signal } = init
    signal?.throwIfAborted()
    const stop = linkedAbort(signal)
    const isWhole = isUnstreamed(url, init)
    const between = isWhole ? stallMs * onePieceFactor : stallMs
    const timer = stallTimer(Math.max(between, firstMs), (ms) => stop.abort(stallFailure(context, ms)))
    const end = () => {
      timer.stop()
      stop.release()
    }
    try {
      const response = await send(fetch, url, { ...init, redirect: 'manual', signal: stop.signal }, log)
      refuseRedirect(response, context)
      if (response.body === null) {
        end()
        return response
      }
      timer.restart()
      return withBody(
        response,
        bodyWithTimeout(response, { body: response.body, timer, between, stop, end, context, signal }),
      )
    } catch (error) {
      end()
      throw stop.signal.aborted ? stop.signal.reason : error
    }
  }
}

/** Thrown by a fetch when the server closed a reused connection without an answer. The request can be sent again. */
export class ConnectionClosed extends Error {}

/** Logs and sends a request; once more on a new connection if a reused one was closed. Each sending is logged. */
async function send(
  fetch: Fetch,
  url: Parameters<Fetch>[0],
  init: NonNullable<Parameters<Fetch>[1]>,
  log: RequestLog | undefined,
): ReturnType<Fetch> {
  const once = async () => {
    if (log) await logRequest(log, url, init)
    return fetch(url, init)
  }
  try {
    return await once()
  } catch (error) {
    if (!(error instanceof ConnectionClosed)) throw error
    return once()
  }
}

async function logRequest(
  { about, write }: RequestLog,
  url: unknown,
  { body: sent }: { body?: unknown },
): Promise<void> {
  const body = typeof sent === 'string' ? sent : new TextDecoder().decode((sent ?? undefined) as never)
  const destination = String(url instanceof Object && 'url' in url ? url.url : url).replace(/[?#].*$/s, '')
  await write(await outgoingRequest(body, { ...about, destination }))
}

function isUnstreamed(url: unknown, { body }: { body?: unknown }): boolean {
  if (typeof body !== 'string') return false
  // Quotes inside the request's strings are escaped, so a note's text cannot match this.
  return !body.includes('"stream":true') && !String(url).includes(':streamGenerateContent')
}

interface BodyWatch {
  body: ReadableStream<Uint8Array>
  timer: StallTimer
  /** The limit once the answer has begun. */
  between: number
  stop: LinkedAbort
  end: () => void
  context: ModelContext
  signal: RequestSignal | null | undefined
}

function bodyWithTimeout(
  response: Response,
  { body, timer, between, stop, end, context, signal }: BodyWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let isFirst = true
  let hasBegun = false
  let sinceLine = 0
  // Also ends a pending read of a fetch that ignores its signal. A body that already failed is closed anyway.
  stop.signal.addEventListener('abort', () => void reader.cancel(stop.signal.reason).catch(() => {}), { once: true })
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        stop.signal.throwIfAborted()
        if (done) {
          end()
          return controller.close()
        }
        if (isFirst) refusePage(value, response, context)
        isFirst = false
        hasBegun ||= firstText.test(new TextDecoder().decode(value))
        sinceLine = value.includes(newline) ? 0 : sinceLine + value.length
        if (sinceLine === 0 || sinceLine >= minBytesPerLimit) {
          sinceLine = 0
          timer.restart(hasBegun ? between : undefined)
        }
        controller.enqueue(value)
      } catch (error) {
        end()
        stop.abort(error)
        if (!signal || signal.aborted) return controller.error(error)
        signal.brokenBy = modelFailureFrom(error, context)
        controller.close()
      }
    },
    cancel(reason) {
      end()
      stop.abort(reason)
      // The reader has left, so a failing cancel has no effect.
      reader.cancel(reason).catch(() => {})
    },
  })
}

const newline = 10

/** Servers send the role or keep-alives while they still read the prompt. */
const firstText = /"(?:content|text|delta|thinking|reasoning\w*|arguments|name)"\s*:\s*"[^"]/

/** Only for responses that are ok: the status of an error page says more. */
function refusePage(first: Uint8Array, response: Response, context: ModelContext): void {
  if (!response.ok) return
  const start = new TextDecoder().decode(first.subarray(0, 200)).trimStart()
  if (!/^<(!doctype|html|head|body|\?xml)/i.test(start)) return
  const where = context.address ? ` at ${context.address}` : ''
  throw modelFailure('not-an-api', context, `The server${where} returned a web page instead of a model's answer.`, {
    hint: addressHint,
  })
}

function refuseRedirect({ status, headers }: Response, context: ModelContext): void {
  if (status < 300 || status >= 400) return
  const to = headers.get('location') ?? ''
  const target = URL.canParse(to) ? ` to ${new URL(to).origin}` : ''
  const message = `${context.provider} redirects${target}. Keys are not sent to other addresses.`
  throw modelFailure('not-an-api', context, message, { status, hint: 'Set the base URL to the new address.' })
}

function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

function stallFailure(context: ModelContext, stallMs: number) {
  const seconds = Math.round(stallMs / 1000)
  const time = seconds < 1 ? `${stallMs} ms` : `${seconds} seconds`
  const patience = context.howToSet?.('models.stallSeconds', '300')
  return modelFailure('stalled', context, `${context.provider} stopped responding for ${time}.`, {
    hint: [
      'Ask again, or choose another model.',
      patience && `If the computer is slow, increase the timeout: ${patience}`,
    ]
      .filter(Boolean)
      .join(' '),
  })
}

type StallTimer = ReturnType<typeof stallTimer>

function stallTimer(ms: number, onStall: (ms: number) => void) {
  let limit = ms
  const start = () => setTimeout(() => onStall(limit), limit)
  let timer = start()
  let isOver = false
  return {
    /** Restarts the timer, with a new limit if one is given. */
    restart(next = limit): void {
      clearTimeout(timer)
      limit = next
      if (!isOver) timer = start()
    },
    stop(): void {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** The log entry of a request. */
async function outgoingRequest(
  body: string,
  about: Pick<OutgoingRequest, 'provider' | 'model' | 'destination'>,
): Promise<OutgoingRequest> {
  const bytes = new TextEncoder().encode(body)
  return { ...about, bytes: bytes.length, sha256: await sha256(bytes), body }
}

/** Uses the platform's function, so that naming a provider loads no package. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A model behind a local program. Logs every request before handing it over; what the program sends is unknown. */
export function loggedModel(
  model: LanguageModelV3,
  about: Pick<OutgoingRequest, 'provider' | 'model' | 'destination'>,
  write: (request: OutgoingRequest) => Promise<void>,
): LanguageModelV3 {
  const logCall = async ({ prompt, tools }: LanguageModelV3CallOptions) =>
    write(await outgoingRequest(JSON.stringify({ prompt, tools }), about))
  return {
    ...model,
    async doGenerate(options) {
      await logCall(options)
      return model.doGenerate(options)
    },
    async doStream(options) {
      await logCall(options)
      return model.doStream(options)
    },
  }
}
