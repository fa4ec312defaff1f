import type { StepUsage } from '../../core/model/index.js'
import { apiError, errorBody } from '../server/index.js'
import type { ClientReplyEvent, FinishReason } from './checked-reply.js'
import { sseEnd, sseEvent } from './event-stream.js'
import { callIdOf, newId } from './items.js'
import { nowSeconds } from './response.js'

interface ChatCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** A chat completion in progress: the same reply in the older API's format. */
export interface ChatState {
  id: string
  created: number
  model: string
  text: string
  reasoning: string
  calls: ChatCall[]
  takenCallIds: Set<string>
  finishReason: string | null
  usage: StepUsage
  usageInStream: boolean
}

export function newChatState(model: string, usageInStream: boolean, takenCallIds: Iterable<string>): ChatState {
  const id = newId('chatcmpl')
  return {
    id,
    created: nowSeconds(),
    model,
    text: '',
    reasoning: '',
    calls: [],
    takenCallIds: new Set(takenCallIds),
    finishReason: null,
    usage: {},
    usageInStream,
  }
}

type Chunk = Record<string, unknown>

/** The completion as server-sent events. */
export async function* chatStream(
  chat: ChatState,
  reply: AsyncGenerator<ClientReplyEvent, void, void>,
): AsyncGenerator<string, void, void> {
  yield openingChunks(chat)
    .map((chunk) => sseEvent(chunk))
    .join('')
  for await (const event of reply) {
    const chunks = chatChunks(chat, event)
    if (chunks.length > 0) yield chunks.map((chunk) => sseEvent(chunk)).join('')
  }
  yield sseEnd
}

function openingChunks(chat: ChatState): Chunk[] {
  return [chunk(chat, { role: 'assistant', content: '' })]
}

const finishReasons: Record<FinishReason, string> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
}

export function chatChunks(chat: ChatState, event: ClientReplyEvent): Chunk[] {
  switch (event.type) {
    case 'text-delta':
      chat.text += event.text
      return [chunk(chat, { content: event.text })]
    case 'reasoning-delta':
      chat.reasoning += event.text
      return [chunk(chat, { reasoning_content: event.text })]
    case 'call-start':
      return startCall(chat, event)
    case 'call-delta': {
      const index = chat.calls.length - 1
      const call = chat.calls[index]
      if (call !== undefined) call.function.arguments += event.text
      return [chunk(chat, { tool_calls: [{ index, function: { arguments: event.text } }] })]
    }
    case 'finish': {
      chat.finishReason = finishReasons[event.reason]
      chat.usage = event.usage
      const usage = { ...chunk(chat, {}), choices: [], usage: chatUsage(chat) }
      return [chunk(chat, {}, chat.finishReason), ...(chat.usageInStream ? [usage] : [])]
    }
    case 'failed':
      return [errorBody(apiError(event.failure))]
    case 'call-end':
    case 'reasoning-signature':
    case 'annotations':
    case 'step':
      return []
    default:
      return event satisfies never
  }
}

function startCall(chat: ChatState, { id: given, name }: { id: string; name: string }): Chunk[] {
  const wanted = callIdOf(given)
  const id = chat.takenCallIds.has(wanted) ? newId('call') : wanted
  chat.takenCallIds.add(id)
  const index = chat.calls.length
  const call: ChatCall = { id, type: 'function', function: { name, arguments: '' } }
  chat.calls.push(call)
  return [chunk(chat, { tool_calls: [{ index, ...structuredClone(call) }] })]
}

function chunk(
  { id, created, model, usageInStream }: ChatState,
  delta: object,
  finishReason: string | null = null,
): Chunk {
  return {
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...(usageInStream && { usage: null }),
  }
}

/** The complete completion, for a client that does not stream. */
export function chatCompletion(chat: ChatState): Chunk {
  const { id, created, model, text, reasoning, calls, finishReason } = chat
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: chatUsage(chat),
  }
}

function chatUsage({ usage: { input = 0, output = 0, reasoning = 0, cachedInput = 0 } }: ChatState) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedInput },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
