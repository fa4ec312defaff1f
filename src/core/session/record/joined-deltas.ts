import type { AgentEvent } from '../../agent/index.js'
import { maySpellSecret } from '../../tools/index.js'

type Delta = Extract<AgentEvent, { type: 'text-delta' | 'reasoning-delta' }>

/** What comes faster than this is told together: nobody reads it in between, and each costs a write. */
const joinMs = 30

/**
 * The same events with fewer deltas. A word that is still being written, and a line that may be spelling out a secret,
 * are held back until they are whole, so that what is kept of them can be judged as a whole.
 */
export async function* joinedDeltas(events: AsyncGenerator<AgentEvent>): AsyncGenerator<AgentEvent> {
  let held: Delta | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  let next: Promise<IteratorResult<AgentEvent>> | undefined
  try {
    for (;;) {
      next ??= events.next()
      const isDue = held !== undefined && wholeLength(held.text) > 0
      const result = isDue ? await within(next, toldAt + joinMs - performance.now()) : await next
      if (result === undefined) {
        const length = wholeLength(held!.text)
        yield { ...held!, text: held!.text.slice(0, length) }
        toldAt = performance.now()
        held = length < held!.text.length ? { ...held!, text: held!.text.slice(length) } : undefined
        continue
      }
      next = undefined
      if (!result.done && isDelta(result.value) && (held === undefined || held.type === result.value.type)) {
        held = { ...result.value, text: (held?.text ?? '') + result.value.text }
        continue
      }
      if (held !== undefined) yield held
      held = !result.done && isDelta(result.value) ? result.value : undefined
      if (result.done) return
      if (held === undefined) yield result.value
    }
  } finally {
    await events.return(undefined)
  }
}

const isDelta = (event: AgentEvent): event is Delta => event.type === 'text-delta' || event.type === 'reasoning-delta'

/** Undefined when it takes longer. */
function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), Math.max(0, ms))
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** More than this is told however it looks. */
const longestHeld = 4000

/** How much of it can be told: up to the last word, or the line before one that may spell out a secret. */
function wholeLength(text: string): number {
  if (text.length > longestHeld) return text.length
  const lineAt = text.lastIndexOf('\n') + 1
  if (maySpellSecret(text.slice(lineAt))) return lineAt
  const [word] = /[\w+/=.~-]*$/.exec(text)!
  return text.length - word.length
}
