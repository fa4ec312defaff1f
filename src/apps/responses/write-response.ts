import { Failure } from '../../core/errors.js'
import type { ModelMessage } from '../../core/model/index.js'
import type { ClientReplyEvent } from './checked-reply.js'
import { type Endpoint, newResponseFor, type RunningResponses, startReply } from './endpoint.js'
import { type EventLog, eventLog } from './event-stream.js'
import type { ParsedRequest } from './request/parsed-request.js'
import {
  applyReplyEvent,
  cancelResponse,
  openingEvents,
  type ResponseEvent,
  type ResponseObject,
  type ResponseState,
} from './response.js'
import type { ResponseStore } from './response-store.js'
import { findThread } from './thread.js'

/**
 * Yields a reply as the events of a response. The response is stored before its last event, so that a client can
 * continue from it at once. One that is stopped is stored as far as it got.
 */
export async function* writeResponse(
  state: ResponseState,
  reply: AsyncGenerator<ClientReplyEvent, void, void>,
  storage: ResponseStorage,
): AsyncGenerator<ResponseEvent[], void, void> {
  const { response } = state
  let isDone = false
  storage.begin(response)
  try {
    yield openingEvents(state)
    for await (const event of reply) {
      const events = applyReplyEvent(state, event)
      isDone = event.type === 'finish' || event.type === 'failed'
      if (isDone) storage.end(response, event.type === 'finish' ? event.messages : undefined)
      if (events.length > 0) yield events
    }
  } finally {
    if (!isDone) {
      cancelResponse(state)
      storage.end(response)
    }
  }
}

/** The same for a client that waits for the complete response. */
export async function wholeResponse(...parameters: Parameters<typeof writeResponse>): Promise<ResponseObject> {
  for await (const _ of writeResponse(...parameters));
  return parameters[0].response
}

/** Called when a response begins and when it has ended. */
interface ResponseStorage {
  begin(response: ResponseObject): void
  end(response: ResponseObject, messages?: ModelMessage[]): void
}

/** Stores a response at its beginning and its end, if the client wants it stored. In between it can be stopped by its id. */
export function persistResponse(
  { input, store: isStored }: Pick<ParsedRequest, 'input' | 'store'>,
  { store, running, stop }: { store: Pick<ResponseStore, 'put'>; running: RunningResponses; stop(): void },
): ResponseStorage {
  let resolveDone = () => {}
  return {
    begin(response) {
      if (!isStored) return
      const done = new Promise<void>((resolve) => {
        resolveDone = resolve
      })
      running.set(response.id, { stop, done })
      store.put({ response, input })
    },
    end(response, messages) {
      if (!isStored) return
      running.delete(response.id)
      store.put({ response, input, ...(messages && { messages }) })
      resolveDone()
    },
  }
}

interface BackgroundResponse {
  /** The response at its beginning. */
  queued: ResponseObject
  log: EventLog
}

/** Makes a response while the client is not connected; it is fetched by its id. */
export function respondInBackground(endpoint: Endpoint, request: ParsedRequest): BackgroundResponse {
  const { store } = endpoint.setup
  const state = newResponseFor(request, findThread(request.input, request.previousResponseId, store))
  const queued: ResponseObject = { ...structuredClone(state.response), status: 'queued' }
  const abort = new AbortController()
  const log = eventLog()
  const storage = persistResponse(request, { store, running: endpoint.running, stop: () => abort.abort() })
  const make = async () => {
    const reply = backgroundReply(endpoint, request, abort.signal)
    for await (const batch of writeResponse(state, reply, storage)) log.add(batch)
  }
  if (request.stream) endpoint.logs.set(queued.id, log)
  make()
    .catch((error) => {
      if (!abort.signal.aborted) endpoint.context.log(`failed in the background: ${(error as Error).stack}`)
    })
    .finally(() => {
      if (request.stream) storeEvents(endpoint, queued.id, log)
      log.end()
    })
  return { queued, log }
}

/** Reports a request that fails before its reply starts as the end of the reply. */
async function* backgroundReply(
  endpoint: Endpoint,
  request: ParsedRequest,
  signal: AbortSignal,
): AsyncGenerator<ClientReplyEvent, void, void> {
  try {
    const { reply } = await startReply(endpoint, request, signal)
    yield* reply
  } catch (error) {
    signal.throwIfAborted()
    const failure = error instanceof Failure ? error : new Failure('internal', 'The server failed unexpectedly.')
    yield { type: 'failed', failure }
  }
}

/** A client that lost the stream can read the rest of it as long as the response is stored. */
function storeEvents({ setup, logs, context }: Endpoint, id: string, { events }: EventLog): void {
  logs.delete(id)
  try {
    const stored = setup.store.get(id)
    if (stored !== undefined) setup.store.put({ ...stored, events })
  } catch (error) {
    context.log(`the events of ${id} were not stored: ${(error as Error).message}`)
  }
}
