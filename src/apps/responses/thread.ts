import type { Failure } from '../../core/errors.js'
import { badField } from '../server/index.js'
import type { CallItem, Item } from './items.js'
import type { KeptReply, ReplyStore } from './store/reply-store.js'

export interface Thread {
  /** The response that is gone on from; found by the calls that are answered where the client did not say. */
  previousId: string | null
  /** The responses before, from the first on. */
  earlier: KeptReply[]
  /** The whole conversation: what was put in and said before, and what is new. */
  items: Item[]
}

/** The conversation a request belongs to. Outputs must answer calls of it, each once. */
export function threadOf(
  input: readonly Item[],
  previousId: string | null,
  store: Pick<ReplyStore, 'get' | 'withCall'>,
): Thread {
  refuseDoubled(input)
  const start = previousId ?? threadOfOutputs(input, store)
  const earlier = start === null ? [] : earlierReplies(start, store)
  const items = [...earlier.flatMap(itemsOf), ...input]
  const calls = new Set(items.filter(isCall).map((call) => call.call_id))
  for (const { call_id } of items.filter(isOutput)) {
    if (calls.has(call_id)) continue
    throw store.withCall(call_id).length > 0 ? mixed() : unmatched(call_id)
  }
  refuseDoubled(items)
  refuseOpen(items)
  return { previousId: start, earlier, items }
}

const isCall = (item: Item): item is CallItem => item.type === 'function_call'
const isOutput = (item: Item) => item.type === 'function_call_output'

/** A response and those before it, back to the beginning of its conversation. */
function earlierReplies(id: string, store: Pick<ReplyStore, 'get'>): KeptReply[] {
  const replies: KeptReply[] = []
  for (let next: string | null = id; next !== null; ) {
    const reply = store.get(next)
    if (reply === undefined) throw previousNotFound(next)
    replies.unshift(reply)
    next = reply.response.previous_response_id
  }
  const { status } = replies[replies.length - 1].response
  if (status === 'queued' || status === 'in_progress') {
    throw badField('previous_response_id', `The response ${id} is not finished yet.`, 'previous_response_not_finished')
  }
  return replies
}

/** What was put in for a response, and what it said. */
export function itemsOf({ input, response }: KeptReply): Item[] {
  return [...input, ...response.output.filter(isWhole)]
}

/** A call that broke off was never made. */
const isWhole = (item: Item): boolean => item.type !== 'function_call' || item.status === 'completed'

/** Outputs whose calls the client did not send along tell by themselves which response they answer. */
function threadOfOutputs(input: readonly Item[], store: Pick<ReplyStore, 'withCall'>): string | null {
  const calls = new Set(input.filter(isCall).map((call) => call.call_id))
  const parked = input.filter(isOutput).flatMap(({ call_id }) => (calls.has(call_id) ? [] : [call_id]))
  if (parked.length === 0) return null
  const places = parked.map((callId) => store.withCall(callId))
  for (const [at, found] of places.entries()) if (found.length === 0) throw unmatched(parked[at])
  const common = places[0].find((id) => places.every((found) => found.includes(id)))
  if (common === undefined) throw mixed()
  return common
}

function refuseDoubled(items: readonly Item[]): void {
  const seen = new Set<string>()
  for (const { call_id } of items.filter(isOutput)) {
    if (seen.has(call_id)) {
      throw badField('input', `There are two outputs for the call ${call_id}.`, 'tool_outputs_duplicate')
    }
    seen.add(call_id)
  }
}

/** A model that made calls cannot go on before it knows what came of them. */
function refuseOpen(items: readonly Item[]): void {
  const answered = new Set(items.filter(isOutput).map(({ call_id }) => call_id))
  const open = items.filter(isCall).find((call) => !answered.has(call.call_id))
  if (open === undefined) return
  throw badField('input', `No output was sent for the call ${open.call_id} of ${open.name}.`, 'tool_outputs_missing')
}

export function previousNotFound(id: string): Failure {
  const message = `There is no response ${id.slice(0, 80)} to go on from. It may have been deleted, or is no longer kept.`
  return badField('previous_response_id', message, 'previous_response_not_found')
}

const unmatched = (callId: string): Failure =>
  badField('input', `There is no call ${callId.slice(0, 80)} that this output could answer.`, 'tool_outputs_unmatched')

const mixed = (): Failure =>
  badField('input', 'These outputs answer calls of different conversations.', 'tool_outputs_multi_thread')
