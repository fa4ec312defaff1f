import { isRecord } from '../../is-record.js'
import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3Usage } from '../../model/index.js'
import { type CallDelta, type GatheredCall, gatherCall } from './chat-calls.js'

/** A chunk of `/chat/completions`. A reply that is not streamed is one whose choice has a message. */
interface ChatChunk {
  choices?: { delta?: Delta | null; message?: Delta | null; finish_reason?: string | null }[]
  usage?: ChatUsage | null
  /** In the middle of a reply: the server broke down. */
  error?: unknown
}

interface Delta {
  content?: string | ContentPart[] | null
  reasoning_content?: string | null
  reasoning?: string | null
  tool_calls?: CallDelta[] | null
}

/** Some write words and thoughts as parts of one content. */
interface ContentPart {
  type?: string
  text?: string
  thinking?: { text?: string }[]
}

interface ChatUsage {
  prompt_tokens?: number
  completion_tokens?: number
  prompt_tokens_details?: { cached_tokens?: number } | null
  completion_tokens_details?: { reasoning_tokens?: number } | null
}

type Part = LanguageModelV3StreamPart
type Words = 'text' | 'reasoning'

/** Turns the chunks of a reply into parts, in the order they come. */
export interface ChatReply {
  read(json: string): Part[]
  /** The stream is over. One that did not say why was cut off. */
  end: () => Part[]
}

export function chatReply(): ChatReply {
  const calls: GatheredCall[] = []
  let open: Words | undefined
  let blocks = 0
  let finishReason: LanguageModelV3FinishReason | undefined
  let usage: ChatUsage | undefined

  function* words(kind: Words, delta: unknown): Generator<Part, void, void> {
    if (typeof delta !== 'string' || delta === '') return
    if (open !== kind) {
      yield* closeWords()
      open = kind
      yield { type: `${kind}-start`, id: `${kind}-${++blocks}` }
    }
    yield { type: `${kind}-delta`, id: `${kind}-${blocks}`, delta }
  }

  function* closeWords(): Generator<Part, void, void> {
    if (open !== undefined) yield { type: `${open}-end`, id: `${open}-${blocks}` }
    open = undefined
  }

  function* content(given: Delta['content']): Generator<Part, void, void> {
    if (!Array.isArray(given)) return yield* words('text', given)
    for (const part of given) {
      if (part.type === 'text') yield* words('text', part.text)
      else if (part.type === 'thinking') for (const { text } of part.thinking ?? []) yield* words('reasoning', text)
    }
  }

  function* call(delta: CallDelta): Generator<Part, void, void> {
    const known = calls.length
    const parts = [...gatherCall(calls, delta)]
    // Where the next one begins, those before are over if they can be: their pieces may come in turn.
    if (calls.length > known)
      for (const earlier of calls.slice(0, known)) if (parsed(earlier.text)) yield* told(earlier)
    yield* parts
  }

  function* told(one: GatheredCall): Generator<Part, void, void> {
    if (one.isOver || one.name === '') return
    one.isOver = true
    yield { type: 'tool-input-end', id: one.id }
    yield { type: 'tool-call', toolCallId: one.id, toolName: one.name, input: one.text }
  }

  function* parts(chunk: ChatChunk): Generator<Part, void, void> {
    if (chunk.error) return yield { type: 'error', error: chunk.error }
    if (!Array.isArray(chunk.choices)) return yield { type: 'error', error: notAChunk }
    usage = chunk.usage ?? usage
    const [choice] = chunk.choices
    if (choice?.finish_reason) finishReason = reasonOf(choice.finish_reason)
    const delta = choice?.delta ?? choice?.message
    if (!delta) return
    yield* words('reasoning', delta.reasoning_content ?? delta.reasoning)
    yield* content(delta.content)
    for (const one of delta.tool_calls ?? []) {
      yield* closeWords()
      yield* call(one)
    }
  }

  function* ending(): Generator<Part, void, void> {
    yield* closeWords()
    if (finishReason === undefined) return yield { type: 'error', error: cutOff }
    for (const one of calls) yield* told(one)
    yield { type: 'finish', finishReason, usage: usageOf(usage) }
  }

  return {
    read(json) {
      const chunk = parsed(json)
      return chunk === undefined ? [{ type: 'error', error: notAChunk }] : [...parts(chunk)]
    },
    end: () => [...ending()],
  }
}

const cutOff = { message: 'The stream ended without a finish reason.' }

const notAChunk = { name: 'InvalidResponseData', message: 'What came is no part of a reply.' }

function parsed(json: string): ChatChunk | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const reasons: Record<string, LanguageModelV3FinishReason['unified']> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  function_call: 'tool-calls',
  tool_calls: 'tool-calls',
}

const reasonOf = (raw: string): LanguageModelV3FinishReason => ({ unified: reasons[raw] ?? 'other', raw })

/** What was not said is not known. */
function usageOf(usage: ChatUsage | undefined): LanguageModelV3Usage {
  const cached = usage?.prompt_tokens_details?.cached_tokens
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens
  return {
    inputTokens: { total: usage?.prompt_tokens, noCache: undefined, cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: usage?.completion_tokens, text: undefined, reasoning },
  }
}
