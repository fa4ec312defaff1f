import { Failure } from '../../core/errors.js'
import { type LinkedAbort, linkedAbort } from '../../core/model/index.js'
import { type DoorContext, refusal } from '../server/index.js'
import { begunReply } from './begun-reply.js'
import type { EventLog } from './event-log.js'
import type { Item } from './items.js'
import type { Running } from './keeper.js'
import type { Told } from './reply/told.js'
import type { Asked } from './request/asked.js'
import type { Backend, EndpointSetup } from './setup.js'
import type { ReplyStore } from './store/reply-store.js'
import { tellReply } from './tell-reply.js'
import { type Thread, threadOf } from './thread.js'
import { tellVault } from './vault/tell-vault.js'
import { vaultModels } from './vault/vault-models.js'
import { vaultRequest } from './vault/vault-request.js'
import { newWriting, type Writing } from './wire/response-events.js'
import { newResponse } from './wire/response-object.js'

/** What the routes of the endpoint work on. */
export interface Endpoint {
  setup: EndpointSetup
  context: DoorContext
  backends: Map<string, Promise<Backend>>
  running: Running
  /** The events of streams that go on in the background. */
  logs: Map<string, EventLog>
}

export function newEndpoint(setup: EndpointSetup, context: DoorContext, running: Running): Endpoint {
  return { setup, context, backends: new Map(), running, logs: new Map() }
}

/** A request on its way: the conversation it belongs to, and the reply as it comes. */
export interface Started {
  thread: Thread
  told: AsyncGenerator<Told, void, void>
  /** Stops the backend. */
  leave(): void
}

/** Finds the conversation and asks the backend. What can be told beforehand is thrown. */
export async function startReply(
  endpoint: Endpoint,
  asked: Asked,
  signal: AbortSignal,
  store: Pick<ReplyStore, 'get' | 'withCall'> = endpoint.setup.store,
): Promise<Started> {
  const thread = threadOf(asked.input, asked.previousResponseId, store)
  const stop = linkedAbort(signal, endpoint.context.closing)
  const told = await whoTells(endpoint, asked, thread, stop.signal)
  const leave = () => stop.abort()
  try {
    return { thread, told: releasing(await begunReply(told), stop), leave }
  } catch (error) {
    leave()
    throw error
  }
}

/** The server's end is followed no longer than the reply lasts. */
async function* releasing(told: AsyncGenerator<Told, void, void>, stop: LinkedAbort): AsyncGenerator<Told, void, void> {
  try {
    yield* told
  } finally {
    stop.release()
  }
}

/** The vault's agent, or a backend for a client that does the rest itself. */
async function whoTells(
  endpoint: Endpoint,
  asked: Asked,
  thread: Thread,
  signal: AbortSignal,
): Promise<AsyncGenerator<Told, void, void>> {
  const { setup, context } = endpoint
  const mode = vaultModels[asked.model]
  if (mode !== undefined && setup.vault !== undefined) {
    const { vault, sealed } = setup
    return tellVault({ asked, mode, ...vaultRequest(asked, mode, thread, sealed), vault, signal, log: context.log })
  }
  const backend = await openBackend(endpoint, asked.model)
  const window = asked.truncation === 'auto' ? await backend.window?.() : undefined
  return tellReply({ asked, items: thread.items, backend, window, sealed: setup.sealed, signal, log: context.log })
}

/** The response that will be told. */
export function writingFor(asked: Asked, thread: Thread): Writing {
  const response = newResponse({ ...asked, previousResponseId: thread.previousId })
  return newWriting(response, callIdsOf(thread.items))
}

export function callIdsOf(items: readonly Item[]): string[] {
  return items.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : []))
}

/** Opened once: what was learnt of a model is remembered. */
export async function openBackend({ setup, backends }: Endpoint, name: string): Promise<Backend> {
  const known = backends.get(name) ?? setup.openBackend(name)
  backends.set(name, known)
  try {
    return await known
  } catch (error) {
    backends.delete(name)
    throw error instanceof Failure && (error.code === 'invalid-input' || error.code === 'not-found')
      ? modelNotFound(name, error)
      : error
  }
}

function modelNotFound(name: string, { message }: Failure): Failure {
  const text = `There is no model ${name.slice(0, 80)} here: ${message.replace(/[.]?$/, '.')} GET /v1/models lists those that are set up.`
  return refusal({ status: 404, code: 'model_not_found', param: 'model', message: text })
}
