import type { ResponseEvent } from './response.js'

export const sseEvent = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

export const sseEnd = 'data: [DONE]\n\n'

export const sseHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/** The events of a response as server-sent events. */
export async function* sseTexts(events: AsyncIterable<readonly ResponseEvent[]>): AsyncGenerator<string, void, void> {
  for await (const batch of events) yield batch.map((event) => sseEvent(event, event.type)).join('')
  yield sseEnd
}

export type EventLog = ReturnType<typeof eventLog>

/** The events of a response made in the background. Clients can follow them from any event on. */
export function eventLog() {
  const events: ResponseEvent[] = []
  const waiting = new Set<() => void>()
  let hasEnded = false
  const wake = () => {
    for (const resume of waiting) resume()
    waiting.clear()
  }
  return {
    events,
    add(more: readonly ResponseEvent[]): void {
      events.push(...more)
      wake()
    },
    end(): void {
      hasEnded = true
      wake()
    },
    /** Yields events with a higher number than `after`, then new ones as they are added. */
    async *follow(after: number, signal: AbortSignal): AsyncGenerator<ResponseEvent[], void, void> {
      signal.addEventListener('abort', wake, { once: true })
      for (let at = indexAfter(events, after); !signal.aborted; ) {
        if (at < events.length) {
          const batch = events.slice(at)
          at = events.length
          yield batch
        } else if (hasEnded) return
        else await new Promise<void>((resume) => waiting.add(resume))
      }
    },
  }
}

/** Index of the first event with a higher number. */
export function indexAfter(events: readonly ResponseEvent[], after: number): number {
  const at = events.findIndex((event) => event.sequence_number > after)
  return at === -1 ? events.length : at
}
