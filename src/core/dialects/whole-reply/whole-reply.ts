import { callTicket } from '../call-ticket.js'
import type { Block } from '../dialect.js'
import type { Reading } from '../source.js'
import { type BareCall, callsInText, type Surroundings } from './calls-in-text.js'
import { type Expected, mayBeginCall } from './may-begin-call.js'

/** More than this before a call is an answer, not a lead-in. */
const leadLimit = 200

/** Words that show a call instead of making it. */
const talk =
  /\b(?:examples?|e\.g|instance|like this|looks? like|such as|how to|you (?:can|could|may|might|would)|would|could|syntax|format|schema|template|beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|przykład)\b|примеру?|例|예(?:를|시)|उदाहरण|مثال/i

/** Reads a reply that is a call and nothing else, in a form without a marker or in a fence. */
export interface WholeReply {
  /** Whether such a reply may still come behind this text. */
  mayFollow(lead: string): boolean
  /** Tries it from here; false when the reply is something else, and nothing was read. */
  attempt(lead: string): Reading<boolean>
}

/**
 * The rest of the reply is held back as soon as it may be a call, and judged when it is complete. Only calls of offered
 * tools with arguments that fit them count; what is meant as such a call and cannot run is an error.
 */
export function wholeReply(
  block: Block,
  expected: Expected,
  given: Pick<Surroundings, 'readAs' | 'isQuotation'>,
): WholeReply {
  const { source, find } = block
  let isJudged = false
  const mayFollow = (lead: string): boolean => !isJudged && lead.trimEnd().length <= leadLimit
  return {
    mayFollow,
    *attempt(lead) {
      const before = lead.trim()
      if (!mayFollow(lead) || talk.test(before)) return false
      const start = source.mark()
      yield* source.skipSpace()
      const here = source.mark()
      const may = yield* mayBeginCall(block, expected)
      source.rewind(here)
      const rest = may ? yield* readRest(block) : undefined
      const calls =
        rest === undefined
          ? undefined
          : callsInText(rest, { ...given, find, withMarked: expected.withMarked, isAlone: before === '' })
      // One judgement is enough, so that the work stays linear.
      isJudged ||= rest !== undefined
      if (calls === undefined) {
        source.rewind(start)
        return false
      }
      source.release()
      for (const call of calls) report(block, call)
      return true
    },
  }
}

function report(block: Block, { name, id, args, text, fault }: BareCall): void {
  const ticket = callTicket(block)
  ticket.named(name)
  ticket.identified(id)
  if (fault === undefined) ticket.call(args, text)
  else ticket.malformed(fault)
}

/** The reply up to its end; undefined when it is too long. */
function* readRest({ source, limit }: Block): Reading<string | undefined> {
  const start = source.mark()
  while ((yield* source.fill()) && source.offset - start <= limit) source.at = source.window.length
  const rest = source.offset - start <= limit ? source.since(start) : undefined
  source.release()
  return rest
}
