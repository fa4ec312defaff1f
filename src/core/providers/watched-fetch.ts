import {
  addressHint,
  failureFrom,
  type LinkedAbort,
  linkedAbort,
  type ModelContext,
  modelFailure,
} from '../model/index.js'
import type { Fetch, RequestSignal } from './provider.js'

export interface WatchOptions {
  /** How long nothing may come before the provider counts as stalled. */
  stallMs: number
  /** The same, as long as no word of the answer has come: the prompt is still being read. Like the other unless told. */
  firstMs?: number
  context: ModelContext
}

/** A reply that is not streamed is silent until all of it is written. */
const onePieceFactor = 5

/** Fewer bytes than this without the end of a line, for a whole stall limit, is as good as nothing. */
const trickle = 1024

/**
 * A fetch that gives up on a provider that sends nothing (or one byte now and then), does not follow redirects, which
 * would carry keys to another host, and tells a web page from an answer.
 */
export function watchedFetch(fetch: Fetch, { stallMs, firstMs = stallMs, context }: WatchOptions): Fetch {
  return async (url, init = {}) => {
    const { signal } = init
    signal?.throwIfAborted()
    const stop = linkedAbort(signal)
    const isWhole = comesInOnePiece(url, init)
    const between = isWhole ? stallMs * onePieceFactor : stallMs
    const clock = stallClock(Math.max(between, firstMs), (ms) => stop.abort(stalled(context, ms)))
    const end = () => {
      clock.stop()
      stop.release()
    }
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal: stop.signal })
      refuseRedirect(response, context)
      if (response.body === null) {
        end()
        return response
      }
      clock.restart()
      return withBody(response, watchedBody(response, { clock, between, stop, end, context, signal }))
    } catch (error) {
      end()
      throw stop.signal.aborted ? stop.signal.reason : error
    }
  }
}

function comesInOnePiece(url: unknown, { body }: { body?: unknown }): boolean {
  if (typeof body !== 'string') return false
  // Text inside the request has its quotes escaped, so this is never a note's.
  return !body.includes('"stream":true') && !String(url).includes(':streamGenerateContent')
}

interface Watch {
  clock: StallClock
  /** What is waited once the answer has begun. */
  between: number
  stop: LinkedAbort
  end: () => void
  context: ModelContext
  signal: RequestSignal | null | undefined
}

function watchedBody(
  response: Response,
  { clock, between, stop, end, context, signal }: Watch,
): ReadableStream<Uint8Array> {
  const reader = response.body!.getReader()
  let isFirst = true
  let hasBegun = false
  let sinceLine = 0
  // Also ends a read that waits, of a fetch that does not listen to its signal.
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
        hasBegun ||= firstWord.test(new TextDecoder().decode(value))
        sinceLine = value.includes(newline) ? 0 : sinceLine + value.length
        if (sinceLine === 0 || sinceLine >= trickle) {
          sinceLine = 0
          clock.restart(hasBegun ? between : undefined)
        }
        controller.enqueue(value)
      } catch (error) {
        end()
        stop.abort(error)
        if (!signal || signal.aborted) return controller.error(error)
        signal.brokenBy = failureFrom(error, context)
        controller.close()
      }
    },
    cancel(reason) {
      end()
      stop.abort(reason)
      reader.cancel(reason).catch(() => {})
    },
  })
}

const newline = 10

/** Servers send who is speaking, or a sign that they are alive, while they still read. */
const firstWord = /"(?:content|text|delta|thinking|reasoning\w*|arguments|name)"\s*:\s*"[^"]/

/** Only of a good answer: an error page says more by its status. */
function refusePage(first: Uint8Array, response: Response, context: ModelContext): void {
  if (!response.ok) return
  const start = new TextDecoder().decode(first.subarray(0, 200)).trimStart()
  if (!/^<(!doctype|html|head|body|\?xml)/i.test(start)) return
  const where = context.address ? ` at ${context.address}` : ''
  throw modelFailure('not-an-api', context, `A web page answered${where} instead of a model.`, { hint: addressHint })
}

function refuseRedirect({ status, headers }: Response, context: ModelContext): void {
  if (status < 300 || status >= 400) return
  const to = headers.get('location') ?? ''
  const target = URL.canParse(to) ? ` to ${new URL(to).origin}` : ''
  const message = `${context.provider} redirects${target}, and keys are not carried elsewhere.`
  throw modelFailure('not-an-api', context, message, { status, hint: 'Set the base URL to where the API really is.' })
}

function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

function stalled(context: ModelContext, stallMs: number) {
  const seconds = Math.round(stallMs / 1000)
  const time = seconds < 1 ? `${stallMs} ms` : `${seconds} seconds`
  const patience = context.howToSet?.('models.stallSeconds', '300')
  return modelFailure('stalled', context, `${context.provider} has sent nothing for ${time}.`, {
    hint: ['Ask again, or choose another model.', patience && `If the machine is slow, give it time: ${patience}`]
      .filter(Boolean)
      .join(' '),
  })
}

interface StallClock {
  /** From now on with another limit, if one is given. */
  restart(ms?: number): void
  stop(): void
}

function stallClock(ms: number, onStall: (ms: number) => void): StallClock {
  let limit = ms
  const start = () => setTimeout(() => onStall(limit), limit)
  let timer = start()
  let isOver = false
  return {
    restart(next = limit) {
      clearTimeout(timer)
      limit = next
      if (!isOver) timer = start()
    },
    stop() {
      isOver = true
      clearTimeout(timer)
    },
  }
}
