import type { CallTicket } from '../call-ticket.js'
import type { Block } from '../dialect.js'
import type { Reading, Source } from '../source.js'
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

/** A parameter of a list whose values are raw text, and how to tell whether another one begins. */
export interface ParameterForm {
  /** What closes a parameter. */
  closer: string
  /** What opens any parameter, up to its name. */
  opener: string
  /** Reads the rest of an opening tag; the name in it. */
  readName(): Reading<string | undefined>
  /** Whether the grammar can go on behind a closing tag. */
  goesOn(): Reading<boolean>
}

/** Asking about every tag that is only mentioned would take too long. */
const mostQuestions = 8
const lineTail = 200

/**
 * Whether the tag that stands here opens the next parameter of a call, so that the one before was not closed. Told by its
 * name, which the tool knows and nobody has given yet, by its place, which is not within a sentence, and by its end,
 * behind which the list goes on.
 */
export function nextParameter(block: Block, tool: string, given: readonly string[], form: ParameterForm) {
  const { source } = block
  const known = Object.keys(block.find(tool)?.inputSchema.properties ?? {})
  const missing = known.filter((key) => !given.includes(key))
  let questions = 0
  return function* (value: () => string): Reading<boolean> {
    if (missing.length === 0 || ++questions > mostQuestions) return false
    source.at += form.opener.length
    const name = yield* form.readName()
    if (name === undefined || !missing.includes(name) || /[^\n\s][ \t]+$/.test(value().slice(-lineTail))) return false
    if (!(yield* skipToTag(source, [form.closer, form.opener], block.limit))) return false
    return !(yield* source.take(form.closer, true)) || (yield* form.goesOn())
  }
}

/** Passes over text up to the first of these tags; false when none comes. */
function* skipToTag(source: Source, tags: readonly string[], limit: number): Reading<boolean> {
  const start = source.offset
  while ((yield* source.fill()) && source.offset - start <= limit) {
    const found = source.window.indexOf(tags[0][0], source.at)
    source.at = found === -1 ? source.window.length : found
    if (found === -1) continue
    for (const tag of tags) if (yield* source.sees(tag, true)) return true
    source.at++
  }
  return false
}
