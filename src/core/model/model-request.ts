import { type CallSettings, callOptions } from './call-options.js'
import type { Profile } from './profile.js'
import { promptMessage } from './prompt-message.js'
import type { ReplyPiece } from './reply-event.js'
import type { LanguageModelV3CallOptions, ModelMessage, SharedV3ProviderOptions, SystemModelMessage } from './sdk.js'
import { type ToolChoice, toolsToOffer } from './tool-choice.js'

/** What a model is asked for: one reply. */
export interface ModelRequest {
  system?: string
  /** The conversation; a person's message may hold images. */
  messages: readonly ModelMessage[]
  tools?: readonly OfferedTool[]
  /** `auto` unless told. Whoever serves the model, a reply that does not keep to it is not passed on. */
  toolChoice?: ToolChoice
  /**
   * Whether a reply that only announces a call, or writes it as text where that is no call, is asked about once: `all`,
   * only the second, or none because the model has been asked already. Unless told, only the second.
   */
  asksBack?: 'all' | 'text-calls' | 'none'
  signal: AbortSignal
  /** Unless told, what is known about the model by its name. */
  profile?: Profile
  settings?: RequestSettings
  /** Looks at the reply whenever words came: whether the rest need not be waited for. */
  isEnough?: (soFar: readonly ReplyPiece[]) => boolean
}

/** A tool as a model hears of it. */
export interface OfferedTool {
  name: string
  description: string
  /** JSON Schema of the arguments, as it is sent. What comes back is checked by whoever runs the tool. */
  inputSchema: Record<string, unknown>
  /** The provider is to let pass only arguments that fit the schema, where it can. */
  strict?: boolean
}

export interface RequestSettings extends CallSettings {
  /** Off: the reply is asked for in one piece and gives the same events. */
  stream?: boolean
  retry?: Partial<RetrySettings>
}

export interface RetrySettings {
  attempts: number
  firstWaitMs: number
  /** Longer than this nobody waits: when a provider asks for more, the request fails and says so. */
  longestWaitMs: number
}

/** The request in the words of the SDK. */
export function sdkRequest(request: ModelRequest, profile: Profile, signal: AbortSignal): LanguageModelV3CallOptions {
  const { system, messages, settings = {} } = request
  const { tools, choice } = toolsToOffer(request)
  const calls = tools.length === 0 ? 'none' : choice === 'auto' || choice === 'none' ? 'free' : 'forced'
  return {
    ...callOptions(profile, settings, calls),
    abortSignal: signal,
    prompt: markLast([...(system ? [systemMessage(system, profile)] : []), ...messages.map(promptMessage)], profile),
    ...(tools.length > 0 && {
      tools: markLast(
        tools.map((tool) => ({ type: 'function' as const, ...tool })),
        profile,
      ),
      toolChoice: typeof choice === 'object' ? { type: 'tool' as const, toolName: choice.tool } : { type: choice },
    }),
  }
}

function systemMessage(content: string, profile: Profile): SystemModelMessage {
  return markLast([{ role: 'system' as const, content }], profile)[0]
}

const cacheControl = { type: 'ephemeral' }

/**
 * Marks what a provider is to keep up to there, where the family needs to be told: the tools, the system prompt, and the
 * whole conversation, which the next request only adds to.
 */
function markLast<Item extends object>(items: readonly Item[], { cacheMarks }: Profile): Item[] {
  return items.map((item, at) => {
    if (!cacheMarks || at < items.length - 1) return item
    const { providerOptions = {} } = item as { providerOptions?: SharedV3ProviderOptions }
    const { anthropic, openrouter } = providerOptions
    const marked = { anthropic: { ...anthropic, cacheControl }, openrouter: { ...openrouter, cacheControl } }
    return { ...item, providerOptions: { ...providerOptions, ...marked } }
  })
}
