import { Failure } from '../../core/errors.js'
import { badField } from '../server/index.js'
import { type Endpoint, startReply, writingFor } from './endpoint.js'
import { keeper } from './keeper.js'
import type { Told } from './reply/told.js'
import type { Asked } from './request/asked.js'
import { threadOf } from './thread.js'
import type { ResponseObject } from './wire/response-object.js'
import { wholeResponse } from './write-response.js'

/** Makes a response while the client does something else; it is asked for by its id. */
export function background(endpoint: Endpoint, asked: Asked): ResponseObject {
  if (asked.stream) throw badField('stream', 'A response in the background is not streamed; ask for it by its id.')
  const { store } = endpoint.setup
  const writing = writingFor(asked, threadOf(asked.input, asked.previousResponseId, store))
  const queued: ResponseObject = { ...structuredClone(writing.response), status: 'queued' }
  const stop = new AbortController()
  const keep = keeper(asked, { store, running: endpoint.running, stop: () => stop.abort() })
  wholeResponse(writing, later(endpoint, asked, stop.signal), keep).catch((error) => {
    if (!stop.signal.aborted) endpoint.context.log(`failed in the background: ${(error as Error).stack}`)
  })
  return queued
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
