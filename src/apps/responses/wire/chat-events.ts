import type { StepUsage } from '../../../core/model/index.js'
import { apiError, errorBody } from '../../server/index.js'
import { callIdOf, newId } from '../ids.js'
import type { FinishReason, Told } from '../reply/told.js'
import { nowSeconds } from './response-object.js'

interface ChatCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** A chat completion as far as it has been told: the same reply in the older API's words. */
export interface ChatWriting {
  id: string
  created: number
  model: string
  text: string
  thoughts: string
  calls: ChatCall[]
  taken: Set<string>
  finishReason: string | null
  usage: StepUsage
  usageInStream: boolean
}

export function newChat(model: string, usageInStream: boolean, takenCallIds: Iterable<string>): ChatWriting {
  const id = newId('chatcmpl')
  const taken = new Set(takenCallIds)
  return {
    id,
    created: nowSeconds(),
    model,
    text: '',
    thoughts: '',
    calls: [],
    taken,
    finishReason: null,
    usage: {},
    usageInStream,
  }
}

type Chunk = Record<string, unknown>

export function chatBeginning(chat: ChatWriting): Chunk[] {
  return [chunk(chat, { role: 'assistant', content: '' })]
}

const finishReasons: Record<FinishReason, string> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
}

export function advanceChat(chat: ChatWriting, told: Told): Chunk[] {
  switch (told.type) {
    case 'text-delta':
      chat.text += told.text
      return [chunk(chat, { content: told.text })]
    case 'reasoning-delta':
      chat.thoughts += told.text
      return [chunk(chat, { reasoning_content: told.text })]
    case 'call-start':
      return startCall(chat, told)
    case 'call-delta': {
      const index = chat.calls.length - 1
      chat.calls[index].function.arguments += told.text
      return [chunk(chat, { tool_calls: [{ index, function: { arguments: told.text } }] })]
    }
    case 'finish': {
      chat.finishReason = finishReasons[told.reason]
      chat.usage = told.usage
      const usage = { ...chunk(chat, {}), choices: [], usage: chatUsage(chat) }
      return [chunk(chat, {}, chat.finishReason), ...(chat.usageInStream ? [usage] : [])]
    }
    case 'failed':
      return [errorBody(apiError(told.failure))]
    case 'call-end':
    case 'thought-seal':
    case 'annotations':
    case 'step':
      return []
    default:
      return told satisfies never
  }
}

function startCall(chat: ChatWriting, { id: given, name }: { id: string; name: string }): Chunk[] {
  const wanted = callIdOf(given)
  const id = chat.taken.has(wanted) ? newId('call') : wanted
  chat.taken.add(id)
  const index = chat.calls.length
  const call: ChatCall = { id, type: 'function', function: { name, arguments: '' } }
  chat.calls.push(call)
  return [chunk(chat, { tool_calls: [{ index, ...structuredClone(call) }] })]
}

function chunk(
  { id, created, model, usageInStream }: ChatWriting,
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

/** The whole completion, for a client that does not stream. */
export function chatCompletion(chat: ChatWriting): Chunk {
  const { id, created, model, text, thoughts, calls, finishReason } = chat
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(thoughts !== '' && { reasoning_content: thoughts }),
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

function chatUsage({ usage: { input = 0, output = 0, reasoning = 0, cachedInput = 0 } }: ChatWriting) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedInput },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
