import { Failure } from '../../core/errors.js'
import { type Endpoint, startReply, writingFor } from './endpoint.js'
import { type EventLog, eventLog } from './event-log.js'
import { keeper } from './keeper.js'
import type { Told } from './reply/told.js'
import type { Asked } from './request/asked.js'
import { threadOf } from './thread.js'
import type { ResponseObject } from './wire/response-object.js'
import { writeResponse } from './write-response.js'

/** A response that is made while the client does something else; it is asked for by its id. */
export interface InBackground {
  /** As it is at the beginning. */
  queued: ResponseObject
  log: EventLog
}

export function background(endpoint: Endpoint, asked: Asked): InBackground {
  const { store } = endpoint.setup
  const writing = writingFor(asked, threadOf(asked.input, asked.previousResponseId, store))
  const queued: ResponseObject = { ...structuredClone(writing.response), status: 'queued' }
  const stop = new AbortController()
  const log = eventLog()
  const keep = keeper(asked, { store, running: endpoint.running, stop: () => stop.abort() })
  const make = async () => {
    for await (const batch of writeResponse(writing, later(endpoint, asked, stop.signal), keep)) log.add(batch)
  }
  if (asked.stream) endpoint.logs.set(queued.id, log)
  make()
    .catch((error) => {
      if (!stop.signal.aborted) endpoint.context.log(`failed in the background: ${(error as Error).stack}`)
    })
    .finally(() => {
      if (asked.stream) keepEvents(endpoint, queued.id, log)
      log.end()
    })
  return { queued, log }
}

/** Who lost the stream can hear its rest as long as the response is kept. */
function keepEvents({ setup, logs, context }: Endpoint, id: string, { events }: EventLog): void {
  logs.delete(id)
  try {
    const reply = setup.store.get(id)
    if (reply !== undefined) setup.store.put({ ...reply, events })
  } catch (error) {
    context.log(`the events of ${id} were not kept: ${(error as Error).message}`)
  }
}

/** What would be refused at once is told as the end here. */
async function* later(endpoint: Endpoint, asked: Asked, signal: AbortSignal): AsyncGenerator<Told, void, void> {
  try {
    const { told } = await startReply(endpoint, asked, signal)
    yield* told
  } catch (error) {
    signal.throwIfAborted()
    const failure = error instanceof Failure ? error : new Failure('internal', 'The server failed unexpectedly.')
    yield { type: 'failed', failure }
  }
}
