import type { ResponseEvent } from './response-events.js'

export const serverEvent = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

export const streamEnd = 'data: [DONE]\n\n'

export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/** The events of a response as they stand in its stream. */
export async function* responseTexts(
  events: AsyncIterable<readonly ResponseEvent[]>,
): AsyncGenerator<string, void, void> {
  for await (const batch of events) yield batch.map((event) => serverEvent(event, event.type)).join('')
  yield streamEnd
}
