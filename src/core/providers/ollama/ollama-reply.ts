import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3Usage } from '../../model/index.js'
import type { OllamaCall } from './ollama-messages.js'

/** One line of a reply of `/api/chat`; a reply that is not streamed is one such line. */
interface ReplyLine {
  message?: { content?: string; thinking?: string; tool_calls?: OllamaCall[] | null }
  done?: boolean
  done_reason?: string
  prompt_eval_count?: number
  eval_count?: number
  /** In the middle of a reply: the model broke down. */
  error?: string
}

/** Turns the lines of a reply into parts, in the order they come. */
export interface OllamaReply {
  read: (line: string) => LanguageModelV3StreamPart[]
}

export function ollamaReply(): OllamaReply {
  let open: 'text' | 'reasoning' | undefined
  let blocks = 0
  let calls = 0

  function* words(
    kind: 'text' | 'reasoning',
    delta: string | undefined,
  ): Generator<LanguageModelV3StreamPart, void, void> {
    if (!delta) return
    if (open !== kind) {
      yield* close()
      open = kind
      yield { type: `${kind}-start`, id: `${kind}-${++blocks}` }
    }
    yield { type: `${kind}-delta`, id: `${kind}-${blocks}`, delta }
  }

  function* close(): Generator<LanguageModelV3StreamPart, void, void> {
    if (open !== undefined) yield { type: `${open}-end`, id: `${open}-${blocks}` }
    open = undefined
  }

  function* parts(line: ReplyLine): Generator<LanguageModelV3StreamPart, void, void> {
    if (line.error !== undefined) return yield { type: 'error', error: { message: line.error } }
    yield* words('reasoning', line.message?.thinking)
    yield* words('text', line.message?.content)
    for (const call of line.message?.tool_calls ?? []) {
      yield* close()
      calls++
      const { name, arguments: input } = call.function
      yield { type: 'tool-call', toolCallId: call.id ?? '', toolName: name, input: JSON.stringify(input ?? {}) }
    }
    if (!line.done) return
    yield* close()
    yield { type: 'finish', usage: usageOf(line), finishReason: reasonOf(line, calls > 0) }
  }

  return { read: (line) => [...parts(JSON.parse(line) as ReplyLine)] }
}

function reasonOf({ done_reason: raw }: ReplyLine, hasCalls: boolean): LanguageModelV3FinishReason {
  if (raw === 'length') return { unified: 'length', raw }
  if (hasCalls) return { unified: 'tool-calls', raw }
  // Older versions say that it is done and not why.
  return raw === undefined || raw === 'stop' ? { unified: 'stop', raw: raw ?? 'stop' } : { unified: 'other', raw }
}

function usageOf({ prompt_eval_count: input, eval_count: output }: ReplyLine): LanguageModelV3Usage {
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  }
}
