import type { Failure } from '../../core/errors.js'
import { badField } from '../server/index.js'
import type { CallItem, Item } from './items.js'
import type { ResponseStore, StoredResponse } from './response-store.js'

export interface Thread {
  /** The response that the request continues; found by the answered calls if the client did not name it. */
  previousId: string | null
  /** The responses before, oldest first. */
  earlier: StoredResponse[]
  /** The whole conversation: earlier input and output, and the new input. */
  items: Item[]
}

/** Finds the conversation a request belongs to. Every call in it must have exactly one output. */
export function findThread(
  input: readonly Item[],
  previousId: string | null,
  store: Pick<ResponseStore, 'get' | 'idsWithCall'>,
): Thread {
  rejectDuplicateOutputs(input)
  const start = previousId ?? responseAnsweredBy(input, store)
  const earlier = start === null ? [] : earlierResponses(start, store)
  const items = [...earlier.flatMap(itemsOfResponse), ...input]
  const calls = new Set(items.filter(isCall).map((call) => call.call_id))
  for (const { call_id } of items.filter(isOutput)) {
    if (calls.has(call_id)) continue
    throw store.idsWithCall(call_id).length > 0 ? outputsOfSeveralThreads() : unmatchedOutput(call_id)
  }
  rejectDuplicateOutputs(items)
  rejectMissingOutputs(items)
  return { previousId: start, earlier, items }
}

const isCall = (item: Item): item is CallItem => item.type === 'function_call'
const isOutput = (item: Item) => item.type === 'function_call_output'

/** A response and those before it, oldest first. */
function earlierResponses(id: string, store: Pick<ResponseStore, 'get'>): StoredResponse[] {
  const responses: StoredResponse[] = []
  for (let next: string | null = id; next !== null; ) {
    const stored = store.get(next)
    if (stored === undefined) throw previousNotFound(next)
    responses.unshift(stored)
    next = stored.response.previous_response_id
  }
  const status = responses.at(-1)?.response.status
  if (status === 'queued' || status === 'in_progress') {
    throw badField('previous_response_id', `The response ${id} is not finished yet.`, 'previous_response_not_finished')
  }
  return responses
}

/** Input and output of a response. */
export function itemsOfResponse({ input, response }: StoredResponse): Item[] {
  return [...input, ...response.output.filter(isComplete)]
}

/** An interrupted call was never made. */
const isComplete = (item: Item): boolean => item.type !== 'function_call' || item.status === 'completed'

/** Finds the stored response whose calls the outputs answer, for outputs that were sent without their calls. */
function responseAnsweredBy(input: readonly Item[], store: Pick<ResponseStore, 'idsWithCall'>): string | null {
  const calls = new Set(input.filter(isCall).map((call) => call.call_id))
  const answered = input.filter(isOutput).flatMap(({ call_id }) => (calls.has(call_id) ? [] : [call_id]))
  const candidates = answered.map((callId) => {
    const ids = store.idsWithCall(callId)
    if (ids.length === 0) throw unmatchedOutput(callId)
    return ids
  })
  const [first, ...others] = candidates
  if (first === undefined) return null
  const common = first.find((id) => others.every((ids) => ids.includes(id)))
  if (common === undefined) throw outputsOfSeveralThreads()
  return common
}

function rejectDuplicateOutputs(items: readonly Item[]): void {
  const seen = new Set<string>()
  for (const { call_id } of items.filter(isOutput)) {
    if (seen.has(call_id)) {
      throw badField('input', `Two outputs for the call ${call_id}.`, 'tool_outputs_duplicate')
    }
    seen.add(call_id)
  }
}

/** A model cannot continue before all its calls have outputs. */
function rejectMissingOutputs(items: readonly Item[]): void {
  const answered = new Set(items.filter(isOutput).map(({ call_id }) => call_id))
  const open = items.filter(isCall).find((call) => !answered.has(call.call_id))
  if (open === undefined) return
  throw badField('input', `No output was sent for the call ${open.call_id} of ${open.name}.`, 'tool_outputs_missing')
}

function previousNotFound(id: string): Failure {
  const message = `Previous response not found: ${id.slice(0, 80)}. It may be deleted or expired.`
  return badField('previous_response_id', message, 'previous_response_not_found')
}

const unmatchedOutput = (callId: string): Failure =>
  badField('input', `No call found for this output: ${callId.slice(0, 80)}`, 'tool_outputs_unmatched')

const outputsOfSeveralThreads = (): Failure =>
  badField('input', 'These outputs belong to calls of different conversations.', 'tool_outputs_multi_thread')
