import type { AgentEvent } from '../../agent/index.js'
import { maySpellSecret } from '../../tools/index.js'

type Delta = Extract<AgentEvent, { type: 'text-delta' | 'reasoning-delta' }>

/** What comes faster than this is told together: nobody reads it in between, and each costs a write. */
const joinMs = 30

/** Whoever stops in the middle of a word for so long may have stopped for good. */
const pauseMs = 400

/**
 * The same events with fewer deltas. A word that is still being written, and a line that may be spelling out a secret,
 * are held back until they are whole, so that what is kept of them can be judged as a whole.
 */
export async function* joinedDeltas(events: AsyncGenerator<AgentEvent, void>): AsyncGenerator<AgentEvent> {
  let held: Delta | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  let next: Promise<IteratorResult<AgentEvent, void>> | undefined
  try {
    for (;;) {
      next ??= events.next()
      const result = await (held === undefined ? next : within(next, patience(held.text, toldAt)))
      if (result === undefined && held !== undefined) {
        const { text } = held
        const length = wholeLength(text) || text.length
        yield { ...held, text: text.slice(0, length) }
        toldAt = performance.now()
        held = length < text.length ? { ...held, text: text.slice(length) } : undefined
        continue
      }
      const { done, value } = result!
      next = undefined
      if (!done && isDelta(value) && (held === undefined || held.type === value.type)) {
        held = { ...value, text: (held?.text ?? '') + value.text }
        continue
      }
      if (held !== undefined) yield held
      held = !done && isDelta(value) ? value : undefined
      if (done) return
      if (held === undefined) yield value
    }
  } finally {
    await events.return(undefined)
  }
}

/** How long more is waited for before this is told. */
function patience(text: string, toldAt: number): number {
  if (wholeLength(text) > 0) return toldAt + joinMs - performance.now()
  return maySpellSecret(text) ? Number.POSITIVE_INFINITY : pauseMs
}

const isDelta = (event: AgentEvent): event is Delta => event.type === 'text-delta' || event.type === 'reasoning-delta'

/** Undefined when it takes longer. */
function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms === Number.POSITIVE_INFINITY) return promise
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
