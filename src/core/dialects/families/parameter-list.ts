import type { CallTicket } from '../call-ticket.js'
import type { Block } from '../dialect.js'
import type { Reading } from '../source.js'
import { skipBroken } from '../values/skip-broken.js'

const nameLimit = 200

/** A name up to its end, which is read too; undefined when none comes soon. A name has no line break and no tag in it. */
export function* readNameUntil({ source }: Pick<Block, 'source'>, end: string): Reading<string | undefined> {
  let name = ''
  while (name.length < nameLimit && (yield* source.fill())) {
    const character = source.window[source.at]
    if (character === end[0] && (yield* source.take(end, true))) return name.trim()
    if (character === '<' || character === '\n') return undefined
    name += character
    source.at++
  }
  return undefined
}

/** Some write the opening tag twice before what it opens. Passes white space too. */
export function* skipDoubledOpener({ source }: Pick<Block, 'source'>, opener: string): Reading<void> {
  yield* source.skipSpace()
  if (yield* source.take(opener, true)) yield* source.skipSpace()
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
