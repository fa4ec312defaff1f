import type { ModelMessage } from '../../model/index.js'
import { cutResults, foldMessage } from './fold-message.js'
import { messageTokens } from './message-tokens.js'

export interface Fitted {
  messages: ModelMessage[]
  /** How many results and thoughts were shortened, and how many messages left out. */
  folded: number
  dropped: number
  tokens: number
}

/** Trimmed at all, it is trimmed to this share, so that the next requests begin as this one does. */
const afterTrimming = 0.7

/** The least that is left of the newest results. */
const leastResult = 120

/**
 * A conversation so that it takes at most `limit` tokens. What fits stays as it is. Otherwise older results become one
 * line, then the oldest turns go, then the oldest steps of this turn, and at last the newest results are cut. A call is
 * never left without its result, and the person's newest message is never touched.
 *
 * The conversation is gone through as it grew, from request to request: what was trimmed for an earlier one stays
 * trimmed in the same way, so that a server need not read it all anew. `requestAt` is where the newest message stands.
 */
export function fitMessages(messages: readonly ModelMessage[], limit: number, requestAt: number): Fitted {
  const trim: Trim = {
    kept: messages.map((message) => message),
    tokens: messages.map(messageTokens),
    folded: new Set(),
    dropped: new Set(),
    sum: 0,
  }
  let request = 0
  for (let end = 1; end <= messages.length; end++) {
    trim.sum += trim.tokens[end - 1]
    const { role } = messages[end - 1]
    // What follows results is a word of ours to the model, not a person's.
    if (role === 'user' && messages[end - 2]?.role !== 'tool') request = end - 1
    const isAsked = end === messages.length || messages[end].role === 'assistant'
    if (isAsked) trimTo(trim, limit, end, end === messages.length || end - 1 >= requestAt ? requestAt : request)
  }
  const rest = messages.flatMap((_message, at) => (trim.dropped.has(at) ? [] : [trim.kept[at]]))
  return {
    messages: rest,
    folded: [...trim.folded].filter((at) => !trim.dropped.has(at)).length,
    dropped: trim.dropped.size,
    tokens: trim.sum,
  }
}

interface Trim {
  kept: ModelMessage[]
  tokens: number[]
  folded: Set<number>
  dropped: Set<number>
  /** Tokens of what is kept up to here. */
  sum: number
}

function trimTo(trim: Trim, limit: number, end: number, request: number): void {
  if (trim.sum <= limit) return
  const target = limit * afterTrimming
  foldOlder(trim, target, end, request)
  dropTurns(trim, target, request)
  dropSteps(trim, limit, end, request)
  cutNewest(trim, limit, end, request)
}

function foldOlder(trim: Trim, target: number, end: number, request: number): void {
  const newest = lastResults(trim, end, request)
  for (let at = 0; at < end && trim.sum > target; at++) {
    if (trim.dropped.has(at) || trim.folded.has(at) || at === newest) continue
    // A model may need the thoughts of the turn it is in: some providers insist on them.
    if (trim.kept[at].role !== 'tool' && at >= request) continue
    const folded = foldMessage(trim.kept[at])
    const tokens = messageTokens(folded)
    if (tokens >= trim.tokens[at]) continue
    put(trim, at, folded)
    trim.folded.add(at)
  }
}

/** Whole turns: from one message of the person to the next. */
function dropTurns(trim: Trim, target: number, request: number): void {
  for (let at = 0; at < request && trim.sum > target; ) {
    let next = at + 1
    while (next < request && trim.kept[next].role !== 'user') next++
    for (let inside = at; inside < next; inside++) drop(trim, inside)
    at = next
  }
}

/** Calls together with their results, those of the last step excepted. */
function dropSteps(trim: Trim, limit: number, end: number, request: number): void {
  const newest = lastResults(trim, end, request)
  for (let at = request + 1; at + 1 < newest && trim.sum > limit; at++) {
    if (trim.dropped.has(at) || trim.kept[at].role !== 'assistant' || trim.kept[at + 1].role !== 'tool') continue
    drop(trim, at)
    drop(trim, at + 1)
  }
}

function cutNewest(trim: Trim, limit: number, end: number, request: number): void {
  const at = lastResults(trim, end, request)
  const over = trim.sum - limit
  if (at < 0 || over <= 0) return
  put(trim, at, cutResults(trim.kept[at], Math.max(leastResult, trim.tokens[at] - over - aroundResults)))
  trim.folded.add(at)
}

/** So that what stands around them is not counted as theirs. */
const aroundResults = 40

function put(trim: Trim, at: number, message: ModelMessage): void {
  const tokens = messageTokens(message)
  trim.sum += tokens - trim.tokens[at]
  trim.kept[at] = message
  trim.tokens[at] = tokens
}

function drop(trim: Trim, at: number): void {
  if (trim.dropped.has(at)) return
  trim.dropped.add(at)
  trim.sum -= trim.tokens[at]
}

/** Of the turn that goes on; -1 where it has none yet. */
function lastResults({ kept, dropped }: Trim, end: number, request: number): number {
  for (let at = end - 1; at > request; at--) if (kept[at].role === 'tool' && !dropped.has(at)) return at
  return -1
}
