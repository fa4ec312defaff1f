import type { AgentEvent } from '../agent-event.js'

type Waiting = Extract<AgentEvent, { type: 'waiting' }>

const everyMs = 5000

/** What comes, and until the first word of it, every few seconds, how long nothing has. */
export async function* whileWaiting<Event extends { type: string; waitMs?: number }>(
  events: AsyncGenerator<Event, void>,
  why: 'prompt' | 'model',
  onFirst: () => void = () => {},
): AsyncGenerator<Event | Waiting, void> {
  let startedAt = performance.now()
  try {
    for (;;) {
      const next = events.next()
      // Whoever leaves while it is awaited is not there when it fails.
      next.catch(() => {})
      while (!(await comesSoon(next))) {
        const ms = performance.now() - startedAt
        const seconds = Math.round(Math.abs(ms) / 1000)
        yield { type: 'waiting', why: ms < 0 ? 'retry' : why, seconds }
      }
      const { done, value } = await next
      if (done) return
      // After these the request is made anew, or for the first time.
      const isBefore = value.type === 'retry' || value.type === 'notice' || value.type === 'repair'
      if (!isBefore) onFirst()
      yield value
      if (!isBefore) break
      startedAt = performance.now() + (value.waitMs ?? 0)
    }
    yield* events
  } finally {
    onFirst()
    await events.return()
  }
}

async function comesSoon(next: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tick = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), everyMs)
  })
  try {
    return await Promise.race([next.then(() => true), tick])
  } finally {
    clearTimeout(timer)
  }
}
