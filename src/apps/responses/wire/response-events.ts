import { apiError } from '../../server/index.js'
import { callIdOf, newId } from '../ids.js'
import type { CallItem, Item, MessageItem, OutputText, ReasoningItem } from '../items.js'
import type { FinishReason, Told } from '../reply/told.js'
import { errorOf, nowSeconds, type ResponseObject, usageOf } from './response-object.js'

/** One event of a response's stream. */
export interface ResponseEvent {
  type: string
  sequence_number: number
  [field: string]: unknown
}

/** A response as far as it has been told. */
export interface Writing {
  response: ResponseObject
  sequence: number
  /** The item that words or arguments are still added to: the last of the output. */
  open?: MessageItem | ReasoningItem | CallItem
  /** Ids of calls by the names the reply has for them. */
  callIds: Map<string, string>
  /** Ids that calls of the conversation have already. */
  taken: Set<string>
}

export function newWriting(response: ResponseObject, takenCallIds: Iterable<string> = []): Writing {
  return { response, sequence: 0, callIds: new Map(), taken: new Set(takenCallIds) }
}

/** The beginning of every stream. */
export function beginning(writing: Writing): ResponseEvent[] {
  return [
    event(writing, 'response.created', { response: copyOf(writing.response) }),
    event(writing, 'response.in_progress', { response: copyOf(writing.response) }),
  ]
}

/** Takes in what is told of the reply; answers what the client is told. */
export function advance(writing: Writing, told: Told): ResponseEvent[] {
  switch (told.type) {
    case 'text-delta':
      return addText(writing, told.text)
    case 'reasoning-delta':
      return addThought(writing, told.text)
    case 'call-start':
      return startCall(writing, told)
    case 'call-delta':
      return addArguments(writing, told.text)
    case 'call-end':
      return close(writing, 'completed')
    case 'thought-seal':
      return sealThought(writing, told.sealed)
    case 'annotations':
      return addAnnotations(writing, told)
    case 'step':
      return addStep(writing, told.step)
    case 'finish':
      return finish(writing, told)
    case 'failed':
      return fail(writing, told)
    default:
      return told satisfies never
  }
}

function event(writing: Writing, type: string, fields: object): ResponseEvent {
  return { type, sequence_number: writing.sequence++, ...fields }
}

/** As it is at this moment: the response goes on changing. */
function copyOf<Value>(value: Value): Value {
  return structuredClone(value)
}

const indexOf = ({ response }: Writing): number => response.output.length - 1

function openItem<Opened extends NonNullable<Writing['open']>>(writing: Writing, item: Opened): ResponseEvent[] {
  const closed = close(writing, 'completed')
  writing.response.output.push(item)
  writing.open = item
  return [
    ...closed,
    event(writing, 'response.output_item.added', { output_index: indexOf(writing), item: copyOf(item) }),
  ]
}

function addText(writing: Writing, text: string): ResponseEvent[] {
  const events: ResponseEvent[] = []
  if (writing.open?.type !== 'message') {
    const item: MessageItem = {
      type: 'message',
      id: newId('msg'),
      status: 'in_progress',
      role: 'assistant',
      content: [],
    }
    const part: OutputText = { type: 'output_text', text: '', annotations: [], logprobs: [] }
    events.push(...openItem(writing, item))
    item.content.push(part)
    events.push(event(writing, 'response.content_part.added', { ...place(writing), part: copyOf(part) }))
  }
  const part = (writing.open as MessageItem).content[0] as OutputText
  part.text += text
  events.push(event(writing, 'response.output_text.delta', { ...place(writing), delta: text, logprobs: [] }))
  return events
}

const place = (writing: Writing) => ({
  item_id: writing.open?.id,
  output_index: indexOf(writing),
  content_index: 0,
})

function addThought(writing: Writing, text: string): ResponseEvent[] {
  const events: ResponseEvent[] = []
  if (writing.open?.type !== 'reasoning') {
    const item: ReasoningItem = { type: 'reasoning', id: newId('rs'), summary: [] }
    events.push(...openItem(writing, item))
    item.summary.push({ type: 'summary_text', text: '' })
    const part = { type: 'summary_text', text: '' }
    events.push(event(writing, 'response.reasoning_summary_part.added', { ...thoughtPlace(writing), part }))
  }
  ;(writing.open as ReasoningItem).summary[0].text += text
  if (text === '') return events
  events.push(event(writing, 'response.reasoning_summary_text.delta', { ...thoughtPlace(writing), delta: text }))
  return events
}

const thoughtPlace = (writing: Writing) => ({
  item_id: writing.open?.id,
  output_index: indexOf(writing),
  summary_index: 0,
})

function startCall(writing: Writing, { id, name }: { id: string; name: string }): ResponseEvent[] {
  const given = callIdOf(id)
  const callId = writing.taken.has(given) ? newId('call') : given
  writing.taken.add(callId)
  writing.callIds.set(id, callId)
  return openItem(writing, {
    type: 'function_call',
    id: newId('fc'),
    call_id: callId,
    name,
    arguments: '',
    status: 'in_progress',
  })
}

function addArguments(writing: Writing, text: string): ResponseEvent[] {
  const { open } = writing
  if (open?.type !== 'function_call' || text === '') return []
  open.arguments += text
  const fields = { item_id: open.id, output_index: indexOf(writing), delta: text }
  return [event(writing, 'response.function_call_arguments.delta', fields)]
}

/** Ends the open item with everything that must be said of it. */
function close(writing: Writing, status: 'completed' | 'incomplete'): ResponseEvent[] {
  const { open } = writing
  if (open === undefined) return []
  const events = closingEvents(writing, open)
  if (open.type !== 'reasoning') open.status = status
  events.push(event(writing, 'response.output_item.done', { output_index: indexOf(writing), item: copyOf(open) }))
  writing.open = undefined
  return events
}

function closingEvents(writing: Writing, open: NonNullable<Writing['open']>): ResponseEvent[] {
  switch (open.type) {
    case 'message': {
      const part = open.content[0] as OutputText
      return [
        event(writing, 'response.output_text.done', { ...place(writing), text: part.text, logprobs: [] }),
        event(writing, 'response.content_part.done', { ...place(writing), part: copyOf(part) }),
      ]
    }
    case 'reasoning': {
      const [part] = open.summary
      return [
        event(writing, 'response.reasoning_summary_text.done', { ...thoughtPlace(writing), text: part.text }),
        event(writing, 'response.reasoning_summary_part.done', { ...thoughtPlace(writing), part: copyOf(part) }),
      ]
    }
    case 'function_call': {
      const fields = { item_id: open.id, output_index: indexOf(writing), arguments: open.arguments }
      return [event(writing, 'response.function_call_arguments.done', fields)]
    }
    default:
      return open satisfies never
  }
}

/** Thoughts without words can have one too. */
function sealThought(writing: Writing, sealed: string): ResponseEvent[] {
  const events = writing.open?.type === 'reasoning' ? [] : addThought(writing, '')
  ;(writing.open as ReasoningItem).encrypted_content = sealed
  return [...events, ...close(writing, 'completed')]
}

function addAnnotations(writing: Writing, { annotations }: Extract<Told, { type: 'annotations' }>): ResponseEvent[] {
  if (writing.open?.type !== 'message') return []
  const part = writing.open.content[0] as OutputText
  return annotations.map((annotation) => {
    part.annotations.push(annotation)
    const index = part.annotations.length - 1
    const fields = { ...place(writing), annotation_index: index, annotation: copyOf(annotation) }
    return event(writing, 'response.output_text.annotation.added', fields)
  })
}

function addStep(writing: Writing, step: Item): ResponseEvent[] {
  const closed = close(writing, 'completed')
  writing.response.output.push(step)
  const fields = { output_index: indexOf(writing), item: copyOf(step) }
  return [
    ...closed,
    event(writing, 'response.output_item.added', fields),
    event(writing, 'response.output_item.done', fields),
  ]
}

const reasons: Partial<Record<FinishReason, 'max_output_tokens' | 'content_filter'>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

function finish(writing: Writing, { reason, usage }: Extract<Told, { type: 'finish' }>): ResponseEvent[] {
  const { response } = writing
  const cutBy = reasons[reason]
  const closed = close(writing, cutBy ? 'incomplete' : 'completed')
  response.usage = usageOf(usage)
  response.status = cutBy ? 'incomplete' : 'completed'
  if (cutBy) response.incomplete_details = { reason: cutBy }
  else response.completed_at = nowSeconds()
  return [...closed, event(writing, `response.${response.status}`, { response: copyOf(response) })]
}

function fail(writing: Writing, { failure, usage }: Extract<Told, { type: 'failed' }>): ResponseEvent[] {
  const { response } = writing
  const closed = close(writing, 'incomplete')
  const error = apiError(failure)
  if (usage !== undefined) response.usage = usageOf(usage)
  response.status = 'failed'
  response.error = errorOf(error)
  const { type, code, message, param } = error
  return [
    ...closed,
    event(writing, 'error', { error: { type, code, message, param } }),
    event(writing, 'response.failed', { response: copyOf(response) }),
  ]
}

/** The client, or the server's end, stopped it: what had come stays. */
export function cancel(writing: Writing): void {
  close(writing, 'incomplete')
  writing.response.status = 'cancelled'
}
