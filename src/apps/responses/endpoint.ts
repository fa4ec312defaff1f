import { Failure } from '../../core/errors.js'
import { type LinkedAbort, linkedAbort } from '../../core/model/index.js'
import { type MountContext, refusal } from '../server/index.js'
import { backendReply, type ClientReplyEvent } from './checked-reply.js'
import type { EventLog } from './event-stream.js'
import type { Item } from './items.js'
import type { Backend } from './model-request.js'
import type { ParsedRequest } from './request/parsed-request.js'
import { newResponse, newResponseState, type ResponseState } from './response.js'
import type { ResponseStore } from './response-store.js'
import type { Signer } from './sign.js'
import { findThread, type Thread } from './thread.js'
import { type ServedVault, vaultModels, vaultReply, vaultRequest } from './vault-agent.js'

/** Shared state of the routes for one client. */
export interface Endpoint {
  setup: EndpointSetup
  context: MountContext
  backends: Map<string, Promise<Backend>>
  running: RunningResponses
  /** The events of streams that continue in the background. */
  logs: Map<string, EventLog>
}

export interface EndpointSetup {
  /** The backend in the list of models. Others that can be opened are served by their name too. */
  backend?: string
  /** Fails if there is no model of that name, no key or no address. */
  openBackend(name: string): Promise<Backend>
  /** Served as the model `notewright`. */
  vault?: ServedVault
  store: ResponseStore
  signer: Signer
}

/** Responses in progress, by id. `done` resolves once the response is stored. */
export type RunningResponses = Map<string, { stop(): void; done: Promise<void> }>

export function newEndpoint(setup: EndpointSetup, context: MountContext, running: RunningResponses): Endpoint {
  return { setup, context, backends: new Map(), running, logs: new Map() }
}

type Reply = AsyncGenerator<ClientReplyEvent, void, void>

/** A reply in progress, with the conversation it belongs to. */
interface StartedReply {
  thread: Thread
  reply: Reply
  /** Stops the backend. */
  stop(): void
}

/** Finds the conversation and asks the backend. Throws errors that occur before the reply starts. */
export async function startReply(
  endpoint: Endpoint,
  request: ParsedRequest,
  signal: AbortSignal,
  store: Pick<ResponseStore, 'get' | 'idsWithCall'> = endpoint.setup.store,
): Promise<StartedReply> {
  const thread = findThread(request.input, request.previousResponseId, store)
  const abort = linkedAbort(signal, endpoint.context.closing)
  const reply = await openReply(endpoint, request, thread, abort.signal)
  const stop = () => abort.abort()
  try {
    return { thread, reply: releaseAtEnd(await waitForStart(reply), abort), stop }
  } catch (error) {
    stop()
    throw error
  }
}

/** The vault's agent, or a backend for a client that runs its own tools. */
async function openReply(
  endpoint: Endpoint,
  request: ParsedRequest,
  thread: Thread,
  signal: AbortSignal,
): Promise<Reply> {
  const { vault, signer } = endpoint.setup
  const { log } = endpoint.context
  const mode = vaultModels[request.model]
  if (mode !== undefined && vault !== undefined) {
    return vaultReply({ request, mode, ...vaultRequest(request, mode, thread, signer), vault, signal, log })
  }
  const backend = await openBackend(endpoint, request.model)
  const window = request.truncation === 'auto' ? await backend.window?.() : undefined
  return backendReply({ request, items: thread.items, backend, window, signer, signal }, log)
}

/** Most failures come within this time. A local model may read for minutes before its first word. */
const startMs = 2000

/** Waits for the first event, or `startMs`. A failure until then is thrown, so that it gets its own status code. */
async function waitForStart(reply: Reply): Promise<Reply> {
  const first = reply.next()
  let timeout: NodeJS.Timeout | undefined
  const timedOut = new Promise<undefined>((resolve) => {
    timeout = setTimeout(() => resolve(undefined), startMs)
  })
  const started = await Promise.race([first, timedOut]).finally(() => clearTimeout(timeout))
  if (started?.value?.type === 'failed') throw started.value.failure
  return firstThenRest(first, reply)
}

async function* firstThenRest(first: Promise<IteratorResult<ClientReplyEvent, void>>, rest: Reply): Reply {
  try {
    const { done, value } = await first
    if (done || value === undefined) return
    yield value
    yield* rest
  } finally {
    await rest.return()
  }
}

/** Stops listening to the server's signal when the reply has ended. */
async function* releaseAtEnd(reply: Reply, abort: LinkedAbort): Reply {
  try {
    yield* reply
  } finally {
    abort.release()
  }
}

export function newResponseFor(request: ParsedRequest, thread: Thread): ResponseState {
  const response = newResponse({ ...request, previousResponseId: thread.previousId })
  return newResponseState(response, callIdsOf(thread.items))
}

export function callIdsOf(items: readonly Item[]): string[] {
  return items.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : []))
}

/** Opens each backend once, so that facts learned about its model are kept. */
export async function openBackend({ setup, backends }: Endpoint, name: string): Promise<Backend> {
  const backend = backends.get(name) ?? setup.openBackend(name)
  backends.set(name, backend)
  try {
    return await backend
  } catch (error) {
    backends.delete(name)
    throw error instanceof Failure && (error.code === 'invalid-input' || error.code === 'not-found')
      ? modelNotFound(name, error)
      : error
  }
}

function modelNotFound(name: string, { message }: Failure): Failure {
  const text = `Model not found: ${name.slice(0, 80)}. ${message.replace(/[.]?$/, '.')} To list the models: GET /v1/models`
  return refusal({ status: 404, code: 'model_not_found', param: 'model', message: text })
}
