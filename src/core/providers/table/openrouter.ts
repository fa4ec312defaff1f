import type { LanguageModelV3, LanguageModelV3StreamPart } from '../../model/index.js'
import { baseUrl } from '../addresses.js'
import { addCallDelta, type CallDelta, compatibleEmbeddings, type PartialCall } from '../openai-compatible.js'
import { bearer, idsInData, type Provider } from '../provider.js'
import { listedWindow } from '../server-window.js'

export const openrouter: Provider = {
  id: 'openrouter',
  name: 'OpenRouter',
  key: { environment: ['OPENROUTER_API_KEY'], required: true, from: 'https://openrouter.ai/keys' },
  address: {
    environment: ['OPENROUTER_BASE_URL'],
    standard: 'https://openrouter.ai/api/v1',
    read: (text, name) => baseUrl(text, name, '/api/v1'),
  },
  files: ['image', 'pdf'],
  unreachableHint: 'Check your internet connection.',
  modelHint: () => 'Names look like openrouter/vendor/model.',
  async load({ baseUrl, key, fetch }) {
    const { createOpenRouter } = await import('@openrouter/ai-sdk-provider')
    const open = createOpenRouter({
      baseURL: baseUrl,
      apiKey: key?.reveal() ?? '',
      compatibility: 'strict',
      fetch,
    })
    return (modelId) => repairCalls(open.chat(modelId))
  },
  embeddings: async (connection) => (modelId) => compatibleEmbeddings('openrouter', modelId, connection),
  // An unlisted variant such as `:free` has the size of its model.
  window: (modelId, connection) => listedWindow([modelId, modelId.replace(/:[\w-]+$/, '')], connection),
  windowHint: () => 'Choose a model with a larger context window, or ask about fewer notes.',
  modelIds: idsInData,
  listHeaders: bearer,
}

/**
 * Repairs replies of OpenRouter's package, which sends `{}` for arguments it cannot parse, joins calls without an
 * index, and takes a truncated stream for a complete one. Calls are assembled here from the raw chunks.
 */
function repairCalls(model: LanguageModelV3): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      const result = await model.doStream({ ...options, includeRawChunks: true })
      return { ...result, stream: repairStream(result.stream) }
    },
  }
}

type Parts = ReadableStream<LanguageModelV3StreamPart>
type ToolCallPart = Extract<LanguageModelV3StreamPart, { type: 'tool-call' }>

const reasoningId = 'reasoning-content'

function repairStream(stream: Parts): Parts {
  const reader = stream.getReader()
  const calls: PartialCall[] = []
  let metadata: ToolCallPart['providerMetadata']
  let isFinished = false
  let isReasoning = false
  let hasText = false

  /** Reasoning under a name the package does not read, or after the first text, when the package ignores it. */
  function* missedReasoning(delta: Delta): Generator<LanguageModelV3StreamPart, void, void> {
    const known = reasoningIn(delta)
    const text = known === '' ? delta.reasoning_content : hasText ? known : ''
    if (typeof delta.content === 'string' && delta.content !== '') hasText = true
    if (typeof text !== 'string' || text === '') return
    if (!isReasoning) yield { type: 'reasoning-start', id: reasoningId }
    isReasoning = true
    yield { type: 'reasoning-delta', id: reasoningId, delta: text }
  }

  function* repair(part: LanguageModelV3StreamPart): Generator<LanguageModelV3StreamPart, void, void> {
    switch (part.type) {
      case 'raw': {
        const choice = choiceOf(part.rawValue)
        yield* missedReasoning(choice?.delta ?? {})
        if (typeof choice?.finish_reason === 'string') isFinished = true
        for (const delta of choice?.delta?.tool_calls ?? []) yield* addCallDelta(calls, delta)
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
        for (const part of repair(value)) {
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

/** Both fields may be present with the same text. */
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
