import { Failure } from '../../core/errors.js'
import { badField } from '../server/index.js'
import { type Endpoint, keeping, startReply, writingFor } from './endpoint.js'
import type { Told } from './reply/told.js'
import type { Asked } from './request/asked.js'
import { threadOf } from './thread.js'
import type { ResponseObject } from './wire/response-object.js'
import { wholeResponse } from './write-response.js'

/** Makes a response while the client does something else; it is asked for by its id. */
export async function background(endpoint: Endpoint, asked: Asked): Promise<ResponseObject> {
  if (asked.stream) throw badField('stream', 'A response in the background is not streamed; ask for it by its id.')
  const thread = threadOf(asked.input, asked.previousResponseId, endpoint.setup.store)
  const writing = writingFor(asked, thread)
  const keep = keeping(endpoint.setup.store, asked)
  const stop = new AbortController()
  const { id } = writing.response
  writing.response.status = 'queued'
  keep(writing.response)
  const queued = structuredClone(writing.response)
  writing.response.status = 'in_progress'
  const over = wholeResponse(writing, later(endpoint, asked, stop.signal), keep)
    .catch(() => {})
    .then(() => void endpoint.running.delete(id))
  endpoint.running.set(id, { stop: () => stop.abort(), over })
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
