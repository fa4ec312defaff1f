import type { CallTicket } from '../call-ticket.js'
import type { Block } from '../dialect.js'
import type { Reading } from '../source.js'
import { skipBroken } from '../values/skip-broken.js'

const nameLimit = 200

/** A name up to one of the ends, which is read too; undefined when none comes soon. */
export function* readNameUntil({ source }: Pick<Block, 'source'>, end: string): Reading<string | undefined> {
  let name = ''
  while (name.length < nameLimit && (yield* source.fill())) {
    if (yield* source.take(end, true)) return name.trim()
    name += source.window[source.at++]
  }
  return undefined
}

/** Whether a text comes next, or begins to come where the reply ends. */
export function* seesOrCut({ source }: Pick<Block, 'source'>, text: string): Reading<boolean> {
  const seen = yield* source.compare(text, true)
  return seen === 'yes' || (seen === 'cut' && source.window.length - source.at > 1)
}

/** A list of parameters that went wrong: reports it and reads on to where it can stop. */
export function* breakOff(block: Block, ticket: CallTicket, message: string, stops: readonly string[]): Reading<void> {
  ticket.malformed(message)
  yield* skipBroken(block.source, { stops })
}
