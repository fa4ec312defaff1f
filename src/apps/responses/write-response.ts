import type { Keeper } from './keeper.js'
import type { Told } from './reply/told.js'
import { advance, beginning, cancel, type ResponseEvent, type Writing } from './wire/response-events.js'
import type { ResponseObject } from './wire/response-object.js'

/**
 * Tells a reply as the events of a response. It is kept before its last event is told, so that whoever goes on from it
 * at once finds it. One that is stopped is kept as far as it came.
 */
export async function* writeResponse(
  writing: Writing,
  told: AsyncGenerator<Told, void, void>,
  keep: Keeper,
): AsyncGenerator<ResponseEvent[], void, void> {
  const { response } = writing
  let isOver = false
  keep.begin(response)
  try {
    yield beginning(writing)
    for await (const one of told) {
      const events = advance(writing, one)
      isOver = one.type === 'finish' || one.type === 'failed'
      if (isOver) keep.end(response, one.type === 'finish' ? one.messages : undefined)
      if (events.length > 0) yield events
    }
  } finally {
    if (!isOver) {
      cancel(writing)
      keep.end(response)
    }
  }
}

/** The same for a client that waits for the whole. */
export async function wholeResponse(...parameters: Parameters<typeof writeResponse>): Promise<ResponseObject> {
  for await (const _ of writeResponse(...parameters));
  return parameters[0].response
}
