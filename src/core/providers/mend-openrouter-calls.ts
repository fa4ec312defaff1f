import { type LanguageModelV3, type LanguageModelV3StreamPart, wrapModel } from '../model/index.js'
import { type CallDelta, type GatheredCall, gatherCall } from './chat/chat-calls.js'

/**
 * OpenRouter's package sends `{}` for arguments it cannot parse, joins calls that come without an index, and takes a
 * stream that broke off for a complete one. So calls are put together here, from the chunks as they came.
 */
export function mendOpenRouterCalls(model: LanguageModelV3): LanguageModelV3 {
  return wrapModel(model, {
    specificationVersion: 'v3',
    transformParams: async ({ params, type }) => (type === 'stream' ? { ...params, includeRawChunks: true } : params),
    wrapStream: async ({ doStream }) => {
      const result = await doStream()
      return { ...result, stream: mended(result.stream) }
    },
  })
}

type Parts = ReadableStream<LanguageModelV3StreamPart>
type ToolCallPart = Extract<LanguageModelV3StreamPart, { type: 'tool-call' }>

const reasoningId = 'reasoning-content'

function mended(stream: Parts): Parts {
  const reader = stream.getReader()
  const calls: GatheredCall[] = []
  let metadata: ToolCallPart['providerMetadata']
  let isFinished = false
  let isReasoning = false
  let hasText = false

  /** Reasoning under the name the package does not read, or after the first word, when it no longer listens. */
  function* reason(delta: Delta): Generator<LanguageModelV3StreamPart, void, void> {
    const known = reasoningIn(delta)
    const text = known === '' ? delta.reasoning_content : hasText ? known : ''
    if (typeof delta.content === 'string' && delta.content !== '') hasText = true
    if (typeof text !== 'string' || text === '') return
    if (!isReasoning) yield { type: 'reasoning-start', id: reasoningId }
    isReasoning = true
    yield { type: 'reasoning-delta', id: reasoningId, delta: text }
  }

  function* mend(part: LanguageModelV3StreamPart): Generator<LanguageModelV3StreamPart, void, void> {
    switch (part.type) {
      case 'raw': {
        const choice = choiceOf(part.rawValue)
        yield* reason(choice?.delta ?? {})
        if (typeof choice?.finish_reason === 'string') isFinished = true
        for (const delta of choice?.delta?.tool_calls ?? []) yield* gatherCall(calls, delta)
        return
      }
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
        return
      case 'tool-call':
        metadata ??= part.providerMetadata
        return
      case 'finish':
        if (isReasoning) yield { type: 'reasoning-end', id: reasoningId }
        for (const { id, name, text } of calls) {
          if (name === '') continue
          yield { type: 'tool-input-end', id }
          yield {
            type: 'tool-call',
            toolCallId: id,
            toolName: name,
            input: text,
            ...(metadata && { providerMetadata: metadata }),
          }
          metadata = undefined
        }
        if (isFinished || part.finishReason.unified === 'error') return yield part
        return yield { ...part, finishReason: { unified: 'other', raw: undefined } }
      default:
        return yield part
    }
  }

  return new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      for (let isEmpty = true; isEmpty; ) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        for (const part of mend(value)) {
          controller.enqueue(part)
          isEmpty = false
        }
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

interface Delta {
  content?: unknown
  reasoning?: unknown
  reasoning_content?: unknown
  reasoning_details?: { text?: unknown; summary?: unknown }[] | null
  tool_calls?: CallDelta[] | null
}

interface Choice {
  finish_reason?: unknown
  delta?: Delta
}

/** Both names may be there at once and say the same. */
function reasoningIn({ reasoning, reasoning_details }: Delta): string {
  if (!Array.isArray(reasoning_details) || reasoning_details.length === 0) {
    return typeof reasoning === 'string' ? reasoning : ''
  }
  return reasoning_details
    .map(({ text, summary }) => (typeof text === 'string' ? text : typeof summary === 'string' ? summary : ''))
    .join('')
}

function choiceOf(raw: unknown): Choice | undefined {
  const choices = (raw as { choices?: unknown } | null)?.choices
  return Array.isArray(choices) ? (choices[0] as Choice) : undefined
}
