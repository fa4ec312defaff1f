import type { StepUsage } from '../../core/model/index.js'
import { type ApiError, apiError } from '../server/index.js'
import type { ClientReplyEvent, FinishReason } from './checked-reply.js'
import { sseEvent } from './event-stream.js'
import { callIdOf, newId } from './items.js'

type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }

/** A message in progress, in the format of Anthropic's API. */
export interface MessageState {
  id: string
  model: string
  content: Block[]
  /** The last block is still open. */
  isOpen: boolean
  /** Arguments of the open call, as JSON text. */
  argumentsText: string
  takenCallIds: Set<string>
  /** Estimated tokens of the request, until the backend reports them. */
  inputTokens: number
  stopReason: string | null
  usage: StepUsage
}

export function newMessageState(model: string, inputTokens: number, takenCallIds: Iterable<string>): MessageState {
  return {
    id: newId('msg'),
    model,
    content: [],
    isOpen: false,
    argumentsText: '',
    takenCallIds: new Set(takenCallIds),
    inputTokens,
    stopReason: null,
    usage: {},
  }
}

interface MessageEvent extends Record<string, unknown> {
  type: string
}

/** The message as server-sent events. */
export async function* messageStream(
  state: MessageState,
  reply: AsyncGenerator<ClientReplyEvent, void, void>,
): AsyncGenerator<string, void, void> {
  yield sseEvent({ type: 'message_start', message: wholeMessage(state) }, 'message_start')
  for await (const event of reply) {
    for (const sent of messageEvents(state, event)) yield sseEvent(sent, sent.type)
  }
}

const stopReasons: Record<FinishReason, string> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
}

/** Adds an event of the reply to the message, and returns the events for a client that streams. */
export function messageEvents(state: MessageState, event: ClientReplyEvent): MessageEvent[] {
  switch (event.type) {
    case 'text-delta': {
      const started = inBlock(state, { type: 'text', text: '' })
      const block = state.content.at(-1)
      if (block?.type === 'text') block.text += event.text
      return [...started, delta(state, { type: 'text_delta', text: event.text })]
    }
    case 'reasoning-delta': {
      const started = inBlock(state, { type: 'thinking', thinking: '', signature: '' })
      const block = state.content.at(-1)
      if (block?.type === 'thinking') block.thinking += event.text
      return event.text === '' ? started : [...started, delta(state, { type: 'thinking_delta', thinking: event.text })]
    }
    case 'reasoning-signature': {
      const block = state.content.at(-1)
      if (block?.type !== 'thinking') return []
      block.signature = event.signed
      return [delta(state, { type: 'signature_delta', signature: event.signed })]
    }
    case 'call-start': {
      const wanted = callIdOf(event.id)
      const id = state.takenCallIds.has(wanted) ? newId('call') : wanted
      state.takenCallIds.add(id)
      const closed = closeBlock(state)
      return [...closed, ...openBlock(state, { type: 'tool_use', id, name: event.name, input: {} })]
    }
    case 'call-delta':
      state.argumentsText += event.text
      return [delta(state, { type: 'input_json_delta', partial_json: event.text })]
    case 'call-end':
      return closeBlock(state)
    case 'finish': {
      state.stopReason = stopReasons[event.reason]
      state.usage = event.usage
      return [
        ...closeBlock(state),
        {
          type: 'message_delta',
          delta: { stop_reason: state.stopReason, stop_sequence: null },
          usage: usageOf(state),
        },
        { type: 'message_stop' },
      ]
    }
    case 'failed':
      return [{ ...messageError(apiError(event.failure)) }]
    case 'annotations':
    case 'step':
      return []
    default:
      return event satisfies never
  }
}

/** Continues the open block if it has this type, or opens a new one. */
function inBlock(state: MessageState, block: Block): MessageEvent[] {
  if (state.isOpen && state.content.at(-1)?.type === block.type) return []
  const closed = closeBlock(state)
  return [...closed, ...openBlock(state, block)]
}

function openBlock(state: MessageState, block: Block): MessageEvent[] {
  state.content.push(block)
  state.isOpen = true
  state.argumentsText = ''
  return [{ type: 'content_block_start', index: state.content.length - 1, content_block: structuredClone(block) }]
}

function closeBlock(state: MessageState): MessageEvent[] {
  if (!state.isOpen) return []
  state.isOpen = false
  const block = state.content.at(-1)
  if (block?.type === 'tool_use') block.input = argumentsOf(state.argumentsText)
  return [{ type: 'content_block_stop', index: state.content.length - 1 }]
}

/** Clients of this API expect an object; text that is not one is passed on in one field. */
function argumentsOf(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value }
  } catch {
    return { malformed_arguments: text }
  }
}

const delta = (state: MessageState, change: object): MessageEvent => ({
  type: 'content_block_delta',
  index: state.content.length - 1,
  delta: change,
})

/** The complete message, for a client that does not stream. */
export function wholeMessage(state: MessageState) {
  const { id, model, content, stopReason } = state
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: usageOf(state),
  }
}

function usageOf({ usage: { input, output = 0, cachedInput = 0 }, inputTokens }: MessageState) {
  return {
    input_tokens: Math.max(0, (input ?? inputTokens) - cachedInput),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedInput,
    output_tokens: output,
  }
}

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
}

/** An error in the shape of Anthropic's API. */
export function messageError({ status, message }: ApiError) {
  const type = errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return { type: 'error', error: { type, message } }
}
