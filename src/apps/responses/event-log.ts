import type { ResponseEvent } from './wire/response-events.js'

/** The events of a response that is made whether anybody listens or not; who comes later hears them from where they like. */
export interface EventLog {
  readonly events: ResponseEvent[]
  add(events: readonly ResponseEvent[]): void
  end(): void
  /** Those with a higher number than `after`, and the others as they come. */
  follow(after: number, signal: AbortSignal): AsyncGenerator<ResponseEvent[], void, void>
}

export function eventLog(): EventLog {
  const events: ResponseEvent[] = []
  const waiting = new Set<() => void>()
  let isOver = false
  const wake = () => {
    for (const go of waiting) go()
    waiting.clear()
  }
  return {
    events,
    add(more) {
      events.push(...more)
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    async *follow(after, signal) {
      signal.addEventListener('abort', wake, { once: true })
      for (let at = eventsAfter(events, after); !signal.aborted; ) {
        if (at < events.length) {
          const batch = events.slice(at)
          at = events.length
          yield batch
        } else if (isOver) return
        else await new Promise<void>((go) => waiting.add(go))
      }
    },
  }
}

/** Where in a list the first event with a higher number stands. */
export function eventsAfter(events: readonly ResponseEvent[], after: number): number {
  const at = events.findIndex((event) => event.sequence_number > after)
  return at === -1 ? events.length : at
}
