import type { Failure } from '../../../core/errors.js'
import type { RequestId, RpcError, ServerMessage } from './protocol.js'
import { refusedRequest } from './turn-failure.js'

/** Our side of a conversation in lines of JSON: requests that are answered, in both directions, and notifications. */
export interface RpcPeer {
  request<Result>(method: string, params: unknown): Promise<Result>
  notify(method: string): void
  answer(id: RequestId, result: unknown): void
  refuse(id: RequestId, message: string): void
  receive(line: string): void
  /** Nothing comes any more: whoever waits hears why. */
  close(why: Failure): void
}

export interface RpcWays {
  write(line: string): void
  onMessage(message: ServerMessage): void
}

interface Waiting {
  method: string
  resolve(result: unknown): void
  reject(failure: Failure): void
}

export function rpcPeer({ write, onMessage }: RpcWays): RpcPeer {
  const waiting = new Map<RequestId, Waiting>()
  let nextId = 0
  let closed: Failure | undefined

  const send = (message: unknown): void => {
    if (closed === undefined) write(`${JSON.stringify(message)}\n`)
  }

  function takeAnswer({ id, result, error }: { id: RequestId; result?: unknown; error?: RpcError }): void {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(refusedRequest(asked.method, error))
    else asked?.resolve(result)
  }

  return {
    request<Result>(method: string, params: unknown) {
      return new Promise<unknown>((resolve, reject) => {
        if (closed !== undefined) return reject(closed)
        const id = ++nextId
        waiting.set(id, { method, resolve, reject })
        send({ id, method, params })
      }) as Promise<Result>
    },
    notify: (method) => send({ method }),
    answer: (id, result) => send({ id, result }),
    refuse: (id, message) => send({ id, error: { code: -32601, message } }),
    receive(line) {
      // Older versions say everything a second time under these names.
      if (line.startsWith('{"method":"codex/event/')) return
      const message = JSON.parse(line)
      if (message.method === undefined) takeAnswer(message)
      else onMessage(message)
    },
    close(why) {
      closed ??= why
      for (const asked of waiting.values()) asked.reject(closed)
      waiting.clear()
    },
  }
}
