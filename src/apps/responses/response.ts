import type { StepUsage } from '../../core/model/index.js'
import { type ApiError, apiError } from '../server/index.js'
import type { ClientReplyEvent, FinishReason } from './checked-reply.js'
import {
  type CallItem,
  callIdOf,
  type Item,
  type MessageItem,
  nameInNamespace,
  newId,
  type OutputText,
  type ReasoningItem,
} from './items.js'
import type { ParsedRequest } from './request/parsed-request.js'

type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

/** A response with all its fields: those without a value are null, never absent. */
export interface ResponseObject {
  id: string
  object: 'response'
  created_at: number
  completed_at: number | null
  status: ResponseStatus
  incomplete_details: { reason: 'max_output_tokens' | 'content_filter' } | null
  model: string
  previous_response_id: string | null
  instructions: string | null
  output: Item[]
  error: { code: string; message: string } | null
  tools: ParsedRequest['tools']
  tool_choice: ParsedRequest['toolChoice']
  truncation: ParsedRequest['truncation']
  parallel_tool_calls: boolean
  text: { format: ParsedRequest['format'] }
  top_p: number
  presence_penalty: number
  frequency_penalty: number
  top_logprobs: number
  temperature: number
  reasoning: ParsedRequest['reasoning']
  usage: Usage | null
  max_output_tokens: number | null
  max_tool_calls: number | null
  store: boolean
  background: boolean
  service_tier: 'default'
  metadata: Record<string, string>
  safety_identifier: string | null
  prompt_cache_key: string | null
}

interface Usage {
  input_tokens: number
  input_tokens_details: { cached_tokens: number }
  output_tokens: number
  output_tokens_details: { reasoning_tokens: number }
  total_tokens: number
}

export function newResponse(request: ParsedRequest): ResponseObject {
  return {
    id: newId('resp'),
    object: 'response',
    created_at: nowSeconds(),
    completed_at: null,
    status: 'in_progress',
    incomplete_details: null,
    model: request.model,
    previous_response_id: request.previousResponseId,
    instructions: request.instructions,
    output: [],
    error: null,
    tools: request.tools,
    tool_choice: request.toolChoice,
    truncation: request.truncation,
    parallel_tool_calls: request.parallelToolCalls,
    text: { format: request.format },
    top_p: request.topP ?? 1,
    presence_penalty: request.presencePenalty ?? 0,
    frequency_penalty: request.frequencyPenalty ?? 0,
    top_logprobs: 0,
    temperature: request.temperature ?? 1,
    reasoning: request.reasoning,
    usage: null,
    max_output_tokens: request.maxOutputTokens,
    max_tool_calls: request.maxToolCalls,
    store: request.store,
    background: request.background,
    service_tier: 'default',
    metadata: request.metadata,
    safety_identifier: request.safetyIdentifier,
    prompt_cache_key: request.promptCacheKey,
  }
}

/** Usage in tokens. Numbers the backend did not report are 0. */
export function responseUsage({ input = 0, output = 0, reasoning = 0, cachedInput = 0 }: StepUsage): Usage {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}

function responseError({ code, message }: ApiError): ResponseObject['error'] {
  return { code: code ?? 'server_error', message }
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** One event of a response stream. */
export interface ResponseEvent {
  type: string
  sequence_number: number
  [field: string]: unknown
}

/** A response in progress. */
export interface ResponseState {
  response: ResponseObject
  sequence: number
  /** The last item of the output while text or arguments are added to it. */
  openItem: MessageItem | ReasoningItem | CallItem | undefined
  /** Call ids already used in the conversation. */
  takenCallIds: Set<string>
}

export function newResponseState(response: ResponseObject, takenCallIds: Iterable<string>): ResponseState {
  return { response, sequence: 0, openItem: undefined, takenCallIds: new Set(takenCallIds) }
}

/** The first events of every stream. */
export function openingEvents(state: ResponseState): ResponseEvent[] {
  return [
    newEvent(state, 'response.created', { response: snapshot(state.response) }),
    newEvent(state, 'response.in_progress', { response: snapshot(state.response) }),
  ]
}

/** Adds an event of the reply to the response, and returns the events for the client. */
export function applyReplyEvent(state: ResponseState, event: ClientReplyEvent): ResponseEvent[] {
  switch (event.type) {
    case 'text-delta':
      return addText(state, event.text)
    case 'reasoning-delta':
      return addReasoning(state, event.text)
    case 'call-start':
      return startCall(state, event)
    case 'call-delta':
      return addArguments(state, event.text)
    case 'call-end':
      return closeItem(state, 'completed')
    case 'reasoning-signature':
      return signReasoning(state, event.signed)
    case 'annotations':
      return addAnnotations(state, event)
    case 'step':
      return addStep(state, event.step)
    case 'finish':
      return finishResponse(state, event)
    case 'failed':
      return failResponse(state, event)
    default:
      return event satisfies never
  }
}

function newEvent(state: ResponseState, type: string, fields: object): ResponseEvent {
  return { type, sequence_number: state.sequence++, ...fields }
}

/** A copy: the response keeps changing. */
function snapshot<Value>(value: Value): Value {
  return structuredClone(value)
}

const outputIndex = ({ response }: ResponseState): number => response.output.length - 1

function addItem(state: ResponseState, item: NonNullable<ResponseState['openItem']>): ResponseEvent[] {
  const closed = closeItem(state, 'completed')
  state.response.output.push(item)
  state.openItem = item
  return [
    ...closed,
    newEvent(state, 'response.output_item.added', { output_index: outputIndex(state), item: snapshot(item) }),
  ]
}

function addText(state: ResponseState, text: string): ResponseEvent[] {
  const events: ResponseEvent[] = []
  if (state.openItem?.type !== 'message') {
    const item: MessageItem = {
      type: 'message',
      id: newId('msg'),
      status: 'in_progress',
      role: 'assistant',
      content: [],
    }
    const part: OutputText = { type: 'output_text', text: '', annotations: [], logprobs: [] }
    events.push(...addItem(state, item))
    item.content.push(part)
    events.push(newEvent(state, 'response.content_part.added', { ...textPosition(state), part: snapshot(part) }))
  }
  const part = (state.openItem as MessageItem).content[0] as OutputText
  part.text += text
  events.push(newEvent(state, 'response.output_text.delta', { ...textPosition(state), delta: text, logprobs: [] }))
  return events
}

const textPosition = (state: ResponseState) => ({
  item_id: state.openItem?.id,
  output_index: outputIndex(state),
  content_index: 0,
})

function addReasoning(state: ResponseState, text: string): ResponseEvent[] {
  const events: ResponseEvent[] = []
  if (state.openItem?.type !== 'reasoning') {
    const item: ReasoningItem = { type: 'reasoning', id: newId('rs'), summary: [] }
    events.push(...addItem(state, item))
    item.summary.push(emptySummary())
    const fields = { ...reasoningPosition(state), part: emptySummary() }
    events.push(newEvent(state, 'response.reasoning_summary_part.added', fields))
  }
  const [part] = (state.openItem as ReasoningItem).summary
  if (part !== undefined) part.text += text
  if (text === '') return events
  events.push(newEvent(state, 'response.reasoning_summary_text.delta', { ...reasoningPosition(state), delta: text }))
  return events
}

const emptySummary = (): ReasoningItem['summary'][number] => ({ type: 'summary_text', text: '' })

const reasoningPosition = (state: ResponseState) => ({
  item_id: state.openItem?.id,
  output_index: outputIndex(state),
  summary_index: 0,
})

function startCall(state: ResponseState, { id, name }: { id: string; name: string }): ResponseEvent[] {
  const given = callIdOf(id)
  const callId = state.takenCallIds.has(given) ? newId('call') : given
  state.takenCallIds.add(callId)
  return addItem(state, {
    type: 'function_call',
    id: newId('fc'),
    call_id: callId,
    ...clientName(state.response.tools, name),
    arguments: '',
    status: 'in_progress',
  })
}

/** The name as the client wrote it. */
function clientName(tools: ParsedRequest['tools'], name: string): Pick<CallItem, 'name' | 'namespace'> {
  const namespace = tools.find((tool) => tool.name === name)?.namespace
  return namespace === undefined ? { name } : { name: name.slice(nameInNamespace(namespace, '').length), namespace }
}

function addArguments(state: ResponseState, text: string): ResponseEvent[] {
  const open = state.openItem
  if (open?.type !== 'function_call' || text === '') return []
  open.arguments += text
  const fields = { item_id: open.id, output_index: outputIndex(state), delta: text }
  return [newEvent(state, 'response.function_call_arguments.delta', fields)]
}

/** Closes the open item with its final events. */
function closeItem(state: ResponseState, status: 'completed' | 'incomplete'): ResponseEvent[] {
  const open = state.openItem
  if (open === undefined) return []
  const events = closingEvents(state, open)
  if (open.type !== 'reasoning') open.status = status
  events.push(newEvent(state, 'response.output_item.done', { output_index: outputIndex(state), item: snapshot(open) }))
  state.openItem = undefined
  return events
}

function closingEvents(state: ResponseState, open: NonNullable<ResponseState['openItem']>): ResponseEvent[] {
  switch (open.type) {
    case 'message': {
      const part = open.content[0] as OutputText
      return [
        newEvent(state, 'response.output_text.done', { ...textPosition(state), text: part.text, logprobs: [] }),
        newEvent(state, 'response.content_part.done', { ...textPosition(state), part: snapshot(part) }),
      ]
    }
    case 'reasoning': {
      const [part = emptySummary()] = open.summary
      return [
        newEvent(state, 'response.reasoning_summary_text.done', { ...reasoningPosition(state), text: part.text }),
        newEvent(state, 'response.reasoning_summary_part.done', { ...reasoningPosition(state), part: snapshot(part) }),
      ]
    }
    case 'function_call': {
      const fields = { item_id: open.id, output_index: outputIndex(state), arguments: open.arguments }
      return [newEvent(state, 'response.function_call_arguments.done', fields)]
    }
    default:
      return open satisfies never
  }
}

/** Reasoning without text can be signed too. */
function signReasoning(state: ResponseState, signed: string): ResponseEvent[] {
  const events = state.openItem?.type === 'reasoning' ? [] : addReasoning(state, '')
  ;(state.openItem as ReasoningItem).encrypted_content = signed
  return [...events, ...closeItem(state, 'completed')]
}

function addAnnotations(
  state: ResponseState,
  { annotations }: Extract<ClientReplyEvent, { type: 'annotations' }>,
): ResponseEvent[] {
  if (state.openItem?.type !== 'message') return []
  const part = state.openItem.content[0] as OutputText
  return annotations.map((annotation) => {
    part.annotations.push(annotation)
    const index = part.annotations.length - 1
    const fields = { ...textPosition(state), annotation_index: index, annotation: snapshot(annotation) }
    return newEvent(state, 'response.output_text.annotation.added', fields)
  })
}

function addStep(state: ResponseState, step: Item): ResponseEvent[] {
  const closed = closeItem(state, 'completed')
  state.response.output.push(step)
  const fields = { output_index: outputIndex(state), item: snapshot(step) }
  return [
    ...closed,
    newEvent(state, 'response.output_item.added', fields),
    newEvent(state, 'response.output_item.done', fields),
  ]
}

const incompleteReasons: Partial<Record<FinishReason, 'max_output_tokens' | 'content_filter'>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

function finishResponse(
  state: ResponseState,
  { reason, usage }: Extract<ClientReplyEvent, { type: 'finish' }>,
): ResponseEvent[] {
  const { response } = state
  const incompleteReason = incompleteReasons[reason]
  const closed = closeItem(state, incompleteReason ? 'incomplete' : 'completed')
  response.usage = responseUsage(usage)
  response.status = incompleteReason ? 'incomplete' : 'completed'
  if (incompleteReason) response.incomplete_details = { reason: incompleteReason }
  else response.completed_at = nowSeconds()
  return [...closed, newEvent(state, `response.${response.status}`, { response: snapshot(response) })]
}

function failResponse(
  state: ResponseState,
  { failure, usage }: Extract<ClientReplyEvent, { type: 'failed' }>,
): ResponseEvent[] {
  const { response } = state
  const closed = closeItem(state, 'incomplete')
  const error = apiError(failure)
  if (usage !== undefined) response.usage = responseUsage(usage)
  response.status = 'failed'
  response.error = responseError(error)
  const { type, code, message, param } = error
  return [
    ...closed,
    newEvent(state, 'error', { error: { type, code, message, param } }),
    newEvent(state, 'response.failed', { response: snapshot(response) }),
  ]
}

/** Ends a response that was stopped by the client or the server. Its output so far is kept. */
export function cancelResponse(state: ResponseState): void {
  closeItem(state, 'incomplete')
  state.response.status = 'cancelled'
}
