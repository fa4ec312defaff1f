import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  ModelMessage,
  SystemModelMessage,
  TextStreamPart,
  ToolSet,
} from './sdk.js'
import type { OfferedTool, ToolChoice } from './stream-step.js'

export interface ModelRequest {
  system?: SystemModelMessage
  messages: readonly ModelMessage[]
  tools: readonly OfferedTool[]
  toolChoice: ToolChoice
  /** Off: the reply is asked for in one piece. */
  stream?: boolean
  options: Omit<LanguageModelV3CallOptions, 'prompt' | 'tools' | 'toolChoice'>
}

type SdkPart = TextStreamPart<ToolSet>

/**
 * Sends one request and gives the reply in parts, as the SDK's `streamText` would give them. We speak to the model
 * ourselves: the SDK's checks and pipes on the way took several milliseconds of every step.
 */
export async function* askModel(model: LanguageModelV3, request: ModelRequest): AsyncGenerator<SdkPart> {
  const { system, messages, tools, toolChoice, options } = request
  const prompt: LanguageModelV3Prompt = [...(system ? [system] : []), ...messages].map(promptMessage)
  const call: LanguageModelV3CallOptions = {
    ...options,
    prompt,
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ type: 'function' as const, ...tool })),
      toolChoice:
        typeof toolChoice === 'object' ? { type: 'tool' as const, toolName: toolChoice.tool } : { type: toolChoice },
    }),
  }
  const { abortSignal: signal } = options
  if (request.stream === false) return yield* inOnePiece(await unlessAborted(model.doGenerate(call), signal))
  const { stream } = await unlessAborted(model.doStream(call), signal)
  const reader = stream.getReader()
  let hasFinished = false
  try {
    for (;;) {
      const { done, value } = await unlessAborted(reader.read(), signal)
      // As the SDK does: an ending that names no reason.
      if (done && !hasFinished) yield { type: 'finish-step', finishReason: 'other', usage: {} } as unknown as SdkPart
      if (done) return
      hasFinished ||= value.type === 'finish'
      const part = sdkPart(value)
      if (part !== undefined) yield part as SdkPart
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** A model that does not listen to its signal is left alone with it. */
async function unlessAborted<T>(work: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
  })
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function* inOnePiece({ content, ...rest }: LanguageModelV3GenerateResult): Generator<SdkPart> {
  for (const [at, piece] of content.entries()) {
    const parts = piece.type === 'text' || piece.type === 'reasoning' ? words(piece, `${at}`) : [piece]
    for (const part of parts) yield sdkPart(part) as SdkPart
  }
  yield sdkPart({ type: 'finish', ...rest }) as SdkPart
}

function words(
  { type, text, providerMetadata }: Extract<LanguageModelV3Content, { type: 'text' | 'reasoning' }>,
  id: string,
): LanguageModelV3StreamPart[] {
  return [
    { type: `${type}-start`, id, providerMetadata },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id },
  ]
}

function promptMessage(message: ModelMessage): LanguageModelV3Message {
  if (message.role === 'system' || typeof message.content !== 'string') return message as LanguageModelV3Message
  return { ...message, content: [{ type: 'text', text: message.content }] } as LanguageModelV3Message
}

function sdkPart(part: LanguageModelV3StreamPart): object | undefined {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta': {
      const { delta, ...rest } = part
      return { ...rest, text: delta }
    }
    case 'tool-call':
      return { ...part, ...parsed(part.input) }
    case 'finish': {
      const { inputTokens, outputTokens } = part.usage
      return {
        type: 'finish-step',
        finishReason: part.finishReason.unified,
        rawFinishReason: part.finishReason.raw,
        usage: {
          inputTokens: inputTokens.total,
          outputTokens: outputTokens.total,
          reasoningTokens: outputTokens.reasoning,
          cachedInputTokens: inputTokens.cacheRead,
        },
        providerMetadata: part.providerMetadata,
      }
    }
    case 'stream-start':
    case 'response-metadata':
    case 'raw':
      return undefined
    default:
      return part
  }
}

function parsed(input: string): { input: unknown; invalid?: true } {
  try {
    return { input: input.trim() === '' ? {} : JSON.parse(input) }
  } catch {
    return { input, invalid: true }
  }
}
