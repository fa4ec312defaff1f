import { type PackedError, packError, unpackError } from './packed-error.js'

/** A way to another thread: a worker as its page sees it, the page as the worker does, one end of a channel. */
export interface ThreadPort {
  postMessage(message: unknown): void
  onmessage: ((event: never) => void) | null
}

/** The name of something one side can ask of the other, with the plain data that goes there and comes back. */
export interface Call<Request, Answer, Part> {
  readonly name: string
  /** For the compiler alone. */
  readonly types?: [Request, Answer, Part]
}

export const call = <Request, Answer, Part = never>(name: string): Call<Request, Answer, Part> => ({ name })

/** What two threads can ask of each other over one port. Either side may ask, and any number of calls run at once. */
export interface Calls {
  /** `onPart` hears what comes before the answer; `signal` asks the other side to stop. */
  ask<Request, Answer, Part>(
    call: Call<Request, Answer, Part>,
    request: Request,
    options?: { signal?: AbortSignal; onPart?: (part: Part) => void },
  ): Promise<Answer>
  /** What this side does when it is asked. */
  answer<Request, Answer, Part>(
    call: Call<Request, Answer, Part>,
    handle: (request: Request, asked: Asked<Part>) => Answer | Promise<Answer>,
  ): void
  /** The other side is gone: whoever waits for it, or asks later, hears this. */
  end(error: Error): void
}

export interface Asked<Part> {
  signal: AbortSignal
  tell: (part: Part) => void
}

type Message =
  | { type: 'ask'; id: number; name: string; request: unknown }
  | { type: 'stop'; id: number }
  | { type: 'part'; id: number; part: unknown }
  | { type: 'answer'; id: number; answer: unknown }
  | { type: 'failed'; id: number; error: PackedError }

type Handler = (request: never, asked: Asked<unknown>) => unknown

interface Waiting {
  onPart?: (part: never) => void
  resolve(answer: never): void
  reject: (error: Error) => void
}

export function callsOver(port: ThreadPort): Calls {
  const handlers = new Map<string, Handler>()
  /** What this side has asked, and what it was asked, by the number of the side that asks. */
  const waiting = new Map<number, Waiting>()
  const running = new Map<number, AbortController>()
  let asked = 0
  let ended: Error | undefined
  const post = (message: Message): void => port.postMessage(message)

  port.onmessage = ({ data }: { data: Message }): void => {
    if (data.type === 'ask') void handle(data)
    else if (data.type === 'stop') running.get(data.id)?.abort()
    else if (data.type === 'part') waiting.get(data.id)?.onPart?.(data.part as never)
    else if (data.type === 'answer') waiting.get(data.id)?.resolve(data.answer as never)
    else waiting.get(data.id)?.reject(unpackError(data.error))
  }

  async function handle({ id, name, request }: Message & { type: 'ask' }): Promise<void> {
    const stopping = new AbortController()
    running.set(id, stopping)
    try {
      const handler = handlers.get(name)
      if (handler === undefined) throw new Error(`The other side does not answer ${name}.`)
      const tell = (part: unknown) => post({ type: 'part', id, part })
      post({ type: 'answer', id, answer: await handler(request as never, { signal: stopping.signal, tell }) })
    } catch (error) {
      post({ type: 'failed', id, error: packError(error) })
    } finally {
      running.delete(id)
    }
  }

  /** Knows nothing of the request: what was sent may be large, and need not be kept until the answer comes. */
  async function answered<Answer>(id: number, answer: Promise<Answer>, signal: AbortSignal | undefined) {
    const stop = () => post({ type: 'stop', id })
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await answer
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      waiting.delete(id)
      signal?.removeEventListener('abort', stop)
    }
  }

  return {
    ask(call, request, { signal, onPart } = {}) {
      if (signal?.aborted) return Promise.reject(signal.reason as Error)
      if (ended !== undefined) return Promise.reject(ended)
      const id = ++asked
      const answer = new Promise<never>((resolve, reject) => waiting.set(id, { onPart, resolve, reject }))
      post({ type: 'ask', id, name: call.name, request })
      return answered(id, answer, signal)
    },
    answer: (call, handle) => void handlers.set(call.name, handle),
    end(error) {
      ended ??= error
      for (const { reject } of waiting.values()) reject(ended)
    },
  }
}
