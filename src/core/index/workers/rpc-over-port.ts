import { Failure, type FailureCode, type FailureDetails } from '../../errors.js'
import { IndexCorrupt } from '../index-store.js'

/** A message port to another thread: a worker, its page, or one end of a channel. */
export interface ThreadPort {
  postMessage(message: unknown): void
  onmessage: ((event: never) => void) | null
}

/** A remote method: its name, and the types of request, answer and parts. */
export interface RpcMethod<Request, Answer, Part> {
  readonly name: string
  /** Type information only. */
  readonly types?: [Request, Answer, Part]
}

export const rpcMethod = <Request, Answer, Part = never>(name: string): RpcMethod<Request, Answer, Part> => ({ name })

/** Remote procedure calls between two threads over one port. Either side may call, and calls run concurrently. */
export interface Rpc {
  /** `onPart` receives parts sent before the answer; `signal` aborts the call on the other side. */
  ask<Request, Answer, Part>(
    call: RpcMethod<Request, Answer, Part>,
    request: Request,
    options?: { signal?: AbortSignal | undefined; onPart?: ((part: Part) => void) | undefined },
  ): Promise<Answer>
  /** Registers the handler of a method. */
  answer<Request, Answer, Part>(
    call: RpcMethod<Request, Answer, Part>,
    handle: (request: Request, asked: RpcContext<Part>) => Answer | Promise<Answer>,
  ): void
  /** The other side has ended: pending and later calls reject with this error. */
  end(error: Error): void
}

interface RpcContext<Part> {
  signal: AbortSignal
  tell: (part: Part) => void
}

type Message =
  | { type: 'ask'; id: number; name: string; request: unknown }
  | { type: 'stop'; id: number }
  | { type: 'part'; id: number; part: unknown }
  | { type: 'answer'; id: number; answer: unknown }
  | { type: 'failed'; id: number; error: PackedError }

type Handler = (request: never, asked: RpcContext<unknown>) => unknown

interface PendingCall {
  onPart?: ((part: never) => void) | undefined
  resolve(answer: never): void
  reject: (error: Error) => void
}

export function rpcOverPort(port: ThreadPort): Rpc {
  const handlers = new Map<string, Handler>()
  /** Calls made by this side and calls being handled, by the caller's id. */
  const waiting = new Map<number, PendingCall>()
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

  /** Does not capture the request, which may be large and need not be kept until the answer. */
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

/** A serialized error: structured cloning would lose its class. */
export interface PackedError {
  name: string
  message: string
  code?: FailureCode
  details?: FailureDetails
  stack?: string | undefined
}

export function packError(error: unknown): PackedError {
  const { name, message, stack } = error as Error
  return error instanceof Failure
    ? { name, message, code: error.code, details: error.details }
    : { name, message, stack }
}

export function unpackError({ name, message, code, details, stack }: PackedError): Error {
  if (code !== undefined) return new Failure(code, message, details)
  if (name === 'IndexCorrupt') return new IndexCorrupt(message)
  return Object.assign(new Error(message), { stack })
}
