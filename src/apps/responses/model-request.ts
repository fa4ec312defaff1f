import { messageTokens } from '../../core/agent/index.js'
import type {
  LanguageModelV3,
  ModelMessage,
  ModelRequest,
  OfferedTool,
  Profile,
  RequestSettings,
} from '../../core/model/index.js'
import { estimateTokens } from '../../core/text/index.js'
import { badField } from '../server/index.js'
import { modelConversation } from './conversation.js'
import type { Item } from './items.js'
import type { ClientTool, Effort, ParsedRequest } from './request/parsed-request.js'
import type { Signer } from './sign.js'

/** A model that answers clients. It calls tools natively, or is wrapped to do so. */
export interface Backend {
  /** The name users write: `ollama/qwen3:8b`. */
  name: string
  model: LanguageModelV3
  profile: Profile
  /** The context window and its source. Absent if no limit is known. */
  window?(): Promise<ContextWindow>
}

/** Tokens for a conversation and its answer. `unknown` is a guess: no messages are dropped for it. */
export interface ContextWindow {
  tokens: number
  from: 'server' | 'setting' | 'profile' | 'unknown'
}

/** A request of a client for a backend. */
export interface BackendRequest {
  request: ParsedRequest
  /** The whole conversation. */
  items: readonly Item[]
  backend: Backend
  /** Set if the client wants the oldest messages dropped when the conversation does not fit. */
  window: ContextWindow | undefined
  signer: Signer
  signal: AbortSignal
}

/** The request for any backend. */
export function modelRequest(backendRequest: BackendRequest): ModelRequest {
  const { request, items, backend, window, signer, signal } = backendRequest
  const { system, messages } = modelConversation(items, request.instructions, signer)
  if (messages.length === 0) throw badField('input', 'The request has no input.')
  const tools = toolsToDescribe(request, items)
  return {
    ...(system && { system }),
    messages: window ? withoutOldest(messages, conversationRoom({ system, tools, request, window })) : messages,
    tools,
    toolChoice: toolChoiceOf(request),
    profile: backend.profile,
    signal,
    // Retrying is up to the client.
    settings: { ...requestSettings(request), retry: { attempts: 1 } },
  }
}

/** Estimated tokens of a request: system prompt, tools and conversation. */
export function requestTokens(request: ParsedRequest, items: readonly Item[], signer: Signer): number {
  const { system, messages } = modelConversation(items, request.instructions, signer)
  const tools = request.tools.length === 0 ? 0 : estimateTokens(JSON.stringify(clientTools(request)))
  return messages.reduce((sum, message) => sum + messageTokens(message), estimateTokens(system) + tools)
}

/** Sampling, limits, answer format and reasoning effort. */
export function requestSettings(request: ParsedRequest): RequestSettings {
  return {
    ...withoutNulls({
      temperature: request.temperature,
      topP: request.topP,
      presencePenalty: request.presencePenalty,
      frequencyPenalty: request.frequencyPenalty,
      maxOutputTokens: request.maxOutputTokens,
      stop: request.stop,
      seed: request.seed,
    }),
    ...answerShape(request),
    ...(request.reasoning?.effort && { thinking: thinkingFor[request.reasoning.effort] }),
    parallelCalls: request.parallelToolCalls,
  }
}

export function clientTools({ tools }: ParsedRequest): OfferedTool[] {
  return tools.map(offeredTool)
}

/** Without earlier calls in the conversation, tools that must not be called are left out of the prompt. */
function toolsToDescribe(request: ParsedRequest, items: readonly Item[]): OfferedTool[] {
  const hasCalls = items.some(({ type }) => type === 'function_call')
  return request.toolChoice === 'none' && !hasCalls ? [] : clientTools(request)
}

function offeredTool({ name, description, parameters, strict }: ClientTool) {
  return {
    name,
    description: description ?? '',
    inputSchema: parameters ?? { type: 'object', properties: {} },
    ...(strict !== null && { strict }),
  }
}

function toolChoiceOf({ toolChoice }: ParsedRequest): NonNullable<ModelRequest['toolChoice']> {
  if (typeof toolChoice === 'string') return toolChoice
  if (toolChoice.type === 'function') return { tool: toolChoice.name }
  return { tools: toolChoice.tools.map(({ name }) => name), mode: toolChoice.mode }
}

function answerShape({ format }: ParsedRequest) {
  if (format.type === 'text') return {}
  if (format.type === 'json_object') return { answer: {} }
  const { schema, name, description, strict } = format
  return { answer: { schema, name, strict, ...(description && { description }) } }
}

/** Reasoning efforts as token budgets, for model families that count tokens. */
const thinkingFor: Record<Effort, 'off' | number> = {
  none: 'off',
  minimal: 'off',
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 49_152,
}

function withoutNulls<Values extends object>(values: Values): { [Key in keyof Values]?: NonNullable<Values[Key]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as never
}

interface FixedParts {
  system: string
  tools: readonly OfferedTool[]
  request: Pick<ParsedRequest, 'maxOutputTokens'>
  window: ContextWindow
}

/** Tokens reserved for the answer if the client sets no limit: a quarter of the window, within bounds. */
const defaultAnswerTokens = (tokens: number): number => Math.min(8192, Math.max(512, Math.floor(tokens / 4)))

/** Tokens left for the conversation beside system prompt, tools and answer. */
export function conversationRoom({ system, tools, request, window: { tokens, from } }: FixedParts): number {
  if (from === 'unknown') return Number.POSITIVE_INFINITY
  const fixed = estimateTokens(system) + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)))
  return tokens - fixed - (request.maxOutputTokens ?? defaultAnswerTokens(tokens))
}

/**
 * Drops the oldest messages until the rest fits. Whole turns go first, then whole steps of the last turn, so that a call
 * always keeps its output. The last question and the last step stay; if they are still too long, the backend reports it.
 */
export function withoutOldest(messages: readonly ModelMessage[], room: number): ModelMessage[] {
  const kept = [...messages]
  let sum = kept.reduce((tokens, message) => tokens + messageTokens(message), 0)
  while (sum > room) {
    const [start, end] = oldestRange(kept)
    if (start === end) break
    for (const message of kept.splice(start, end - start)) sum -= messageTokens(message)
  }
  return kept
}

/** Range of the oldest turn, or of the oldest step if there is only one turn; empty if nothing can be dropped. */
function oldestRange(messages: readonly ModelMessage[]): [number, number] {
  const next = messages.findIndex(({ role }, at) => at > 0 && role === 'user' && isBetweenTurns(messages, at))
  if (next !== -1) return [0, next]
  const steps = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  const [first, second] = steps
  return first === undefined || second === undefined ? [0, 0] : [first, second]
}

/** True if no call before this index has its output after it. */
function isBetweenTurns(messages: readonly ModelMessage[], at: number): boolean {
  const ids = (role: ModelMessage['role'], type: string) => (message: ModelMessage) =>
    message.role !== role || typeof message.content === 'string'
      ? []
      : message.content.flatMap((part) => (part.type === type && 'toolCallId' in part ? [part.toolCallId] : []))
  const calls = new Set(messages.slice(0, at).flatMap(ids('assistant', 'tool-call')))
  return !messages
    .slice(at)
    .flatMap(ids('tool', 'tool-result'))
    .some((id) => calls.has(id))
}
