import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  ModelMessage,
  SystemModelMessage,
  TextStreamPart,
  ToolSet,
} from './sdk.js'
import type { OfferedTool, ToolChoice } from './stream-step.js'

const own = new WeakSet<object>()

/** Marks a model of our own, which keeps to the protocol: its steps are taken without loading the SDK. */
export function ownModel(model: LanguageModelV3): LanguageModelV3 {
  own.add(model)
  return model
}

export const isOwnModel = (model: LanguageModelV3): boolean => own.has(model)

export interface OwnRequest {
  system?: SystemModelMessage
  messages: readonly ModelMessage[]
  tools: readonly OfferedTool[]
  toolChoice: ToolChoice
  options: Omit<LanguageModelV3CallOptions, 'prompt' | 'tools' | 'toolChoice'>
}

type SdkPart = TextStreamPart<ToolSet>

/** What the SDK would make of the model's stream, as far as a step looks at it. */
export async function* askOwnModel(model: LanguageModelV3, request: OwnRequest): AsyncGenerator<SdkPart> {
  const { system, messages, tools, toolChoice, options } = request
  const prompt: LanguageModelV3Prompt = [...(system ? [system] : []), ...messages].map(promptMessage)
  const { stream } = await model.doStream({
    ...options,
    prompt,
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ type: 'function' as const, ...tool })),
      toolChoice:
        typeof toolChoice === 'object' ? { type: 'tool' as const, toolName: toolChoice.tool } : { type: toolChoice },
    }),
  })
  const reader = stream.getReader()
  let hasFinished = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
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
