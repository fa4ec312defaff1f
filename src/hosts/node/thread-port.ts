import type { MessagePort, Worker } from 'node:worker_threads'
import type { ThreadPort } from '../../core/vault-index/index.js'

/** A thread, or the one that started this, as the core talks to threads. */
export function threadPort(thread: Worker | MessagePort): ThreadPort {
  const port: ThreadPort = { postMessage: (message) => thread.postMessage(message), onmessage: null }
  thread.on('message', (data: unknown) => port.onmessage?.({ data } as never))
  return port
}
