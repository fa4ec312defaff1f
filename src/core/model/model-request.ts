import type { Failure, FailureCode } from '../errors.js'
import { type ModelContext, modelFailure } from './model-failure.js'
import type { Profile, Thinking } from './profile.js'
import type { ReplyPiece } from './reply-event.js'
import type {
  JSONValue,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  ModelMessage,
  SharedV3ProviderOptions,
  SystemModelMessage,
  ToolModelMessage,
  ToolResultPart,
  UserModelMessage,
} from './sdk.js'

// A request for one reply: its settings, its tools and their choice, and its form for the SDK.

/** A request for one reply. */
export interface ModelRequest {
  system?: string
  /** The conversation; a user message may hold images. */
  messages: readonly ModelMessage[]
  tools?: readonly OfferedTool[]
  /** Default: `auto`. A reply that breaks the choice is not passed on, whichever provider serves the model. */
  toolChoice?: ToolChoice
  /**
   * Whether a reply that only promises a call, or writes it as text where text is no call, is retried once: `all`,
   * `text-calls` for the second case only (the default), or `none` because the model was already asked again.
   */
  retryMalformedCalls?: 'all' | 'text-calls' | 'none'
  signal: AbortSignal
  /** Default: the profile found by the model's name. */
  profile?: Profile | undefined
  settings?: RequestSettings | undefined
  /** Called whenever text has arrived; true if the rest need not be waited for. */
  isEnough?: (soFar: readonly ReplyPiece[]) => boolean
}

/** A tool as it is offered to a model. */
export interface OfferedTool {
  name: string
  description: string
  /** JSON Schema of the arguments, as it is sent. The caller that runs the tool validates them. */
  inputSchema: Record<string, unknown>
  /** Asks the provider to enforce the schema, where it can. */
  strict?: boolean
}

/** Options of requests to a model: streaming, temperature, thinking, retries. */
export interface RequestSettings extends CallSettings {
  /** False: the reply is requested in one piece and yields the same events. */
  stream?: boolean
  retry?: Partial<RetrySettings>
}

export interface RetrySettings {
  attempts: number
  firstWaitMs: number
  /** If a provider asks for a longer wait than this, the request fails with that reason. */
  longestWaitMs: number
}

/** Converts a request to the SDK's call options. */
export function sdkRequest(request: ModelRequest, profile: Profile, signal: AbortSignal): LanguageModelV3CallOptions {
  const { system, messages, settings = {} } = request
  const { tools, choice } = toolsToOffer(request)
  const calls = tools.length === 0 ? 'none' : choice === 'auto' || choice === 'none' ? 'free' : 'forced'
  return {
    ...callOptions(profile, settings, calls),
    abortSignal: signal,
    prompt: markForCaching([...systemMessages(system, profile), ...messages.map(promptMessage)], profile),
    ...(tools.length > 0 && {
      tools: markForCaching(
        tools.map((tool) => ({ type: 'function' as const, ...tool })),
        profile,
      ),
      toolChoice: typeof choice === 'object' ? { type: 'tool' as const, toolName: choice.tool } : { type: choice },
    }),
  }
}

function systemMessages(content: string | undefined, profile: Profile): SystemModelMessage[] {
  return content ? markForCaching([{ role: 'system', content }], profile) : []
}

const cacheControl = { type: 'ephemeral' }

/**
 * Marks the end of what a provider should cache, for families that need the mark: the tools, the system prompt, and
 * the whole conversation, which the next request only extends.
 */
function markForCaching<Item extends object>(items: readonly Item[], { cacheMarks }: Profile): Item[] {
  return items.map((item, at) => {
    if (!cacheMarks || at < items.length - 1) return item
    const { providerOptions = {} } = item as { providerOptions?: SharedV3ProviderOptions }
    const { anthropic, openrouter } = providerOptions
    const marked = { anthropic: { ...anthropic, cacheControl }, openrouter: { ...openrouter, cacheControl } }
    return { ...item, providerOptions: { ...providerOptions, ...marked } }
  })
}

interface CallSettings {
  temperature?: number | undefined
  topP?: number
  /** The reply ends before the first of these texts. */
  stop?: readonly string[]
  seed?: number
  presencePenalty?: number
  frequencyPenalty?: number
  maxOutputTokens?: number
  /** The answer must be JSON that fits the schema, if there is one. */
  answer?: AnswerShape
  /** Default: the profile's. */
  thinking?: Thinking | undefined
  /** Allows several calls in one step. Default: the profile's. */
  parallelCalls?: boolean
}

interface AnswerShape {
  schema?: Record<string, unknown>
  name?: string
  description?: string
  /** Asks the provider to enforce the schema, where it can. */
  strict?: boolean
}

type CallOptions = Omit<LanguageModelV3CallOptions, 'prompt'> & { providerOptions: SharedV3ProviderOptions }

type OfferedCalls = 'none' | 'free' | 'forced'

/** Translates our settings for every provider at once: each package reads only the options under its own name. */
export function callOptions(profile: Profile, settings: CallSettings, tools: OfferedCalls): CallOptions {
  const requested = settings.thinking ?? profile.thinking.standard
  // Anthropic refuses a forced call together with thinking.
  const thinking = tools === 'forced' && profile.family === 'claude' ? 'off' : requested
  // The APIs refuse options about calls in a request without tools.
  const parallel = tools === 'none' || (settings.parallelCalls ?? profile.parallelCalls)
  const isThinking = thinking !== undefined && thinking !== 'off'
  const takesTemperature =
    profile.temperature === 'allowed' || (profile.temperature === 'not-while-thinking' && !isThinking)
  const { temperature, topP, stop, seed, presencePenalty, frequencyPenalty, maxOutputTokens, answer } = settings
  return {
    ...withoutUndefined({
      ...(takesTemperature && { temperature, topP }),
      seed,
      presencePenalty,
      frequencyPenalty,
      maxOutputTokens,
    }),
    ...(stop && { stopSequences: [...stop] }),
    ...(answer && { responseFormat: responseFormat(answer) }),
    providerOptions: {
      openai: {
        store: false,
        ...reasoningEffort(profile, thinking),
        ...(!parallel && { parallelToolCalls: false }),
        ...jsonStrictness(answer),
      },
      anthropic: { ...anthropicThinking(profile, thinking), ...(!parallel && { disableParallelToolUse: true }) },
      google: googleThinking(profile, thinking),
      openrouter: { ...openRouterReasoning(profile, thinking), ...(!parallel && { parallel_tool_calls: false }) },
      // Ollama's own API takes on or off, also for models without levels of effort. It refuses the option for models
      // that cannot think.
      ollama: {
        ...reasoningEffort(profile, thinking),
        ...jsonStrictness(answer),
        ...(settings.thinking && { think: settings.thinking !== 'off' }),
      },
      lmstudio: { ...reasoningEffort(profile, thinking), ...jsonStrictness(answer) },
      compatible: { ...reasoningEffort(profile, thinking), ...jsonStrictness(answer) },
    },
  }
}

/** Drops undefined values: some APIs refuse them. */
function withoutUndefined<Values extends object>(values: Values): Defined<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>
}

type Defined<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> }

function responseFormat({ schema, name, description }: AnswerShape) {
  return { type: 'json' as const, ...withoutUndefined({ schema, name, description }) }
}

type ProviderOptions = Record<string, JSONValue>

const jsonStrictness = (answer: AnswerShape | undefined): ProviderOptions =>
  answer?.strict === undefined ? {} : { strictJsonSchema: answer.strict }

function reasoningEffort(profile: Profile, thinking: Thinking | undefined): ProviderOptions {
  if (profile.thinking.control !== 'effort' || thinking === undefined) return {}
  if (typeof thinking === 'number') return { reasoningEffort: effortFor(thinking) }
  return thinking === 'off' ? { reasoningEffort: String(profile.thinking.lowest ?? 'low') } : {}
}

const effortFor = (budget: number): string => (budget <= 2048 ? 'low' : budget <= 16_384 ? 'medium' : 'high')

function anthropicThinking(profile: Profile, thinking: Thinking | undefined): ProviderOptions {
  if (profile.family !== 'claude' || profile.thinking.control !== 'budget' || thinking === undefined) return {}
  if (thinking === 'off') return { thinking: { type: 'disabled' } }
  return { thinking: { type: 'enabled', budgetTokens: budgetOf(profile, thinking) } }
}

function googleThinking(profile: Profile, thinking: Thinking | undefined): ProviderOptions {
  const { control, lowest } = profile.thinking
  if (profile.family !== 'gemini' || control === 'none' || thinking === undefined) return {}
  if (control === 'effort') {
    const level = thinking === 'off' ? String(lowest ?? 'low') : typeof thinking === 'number' ? effortFor(thinking) : ''
    return { thinkingConfig: { includeThoughts: true, ...(level && { thinkingLevel: level }) } }
  }
  if (thinking === 'off') return { thinkingConfig: { thinkingBudget: Number(lowest ?? 0) } }
  const budget = typeof thinking === 'number' ? { thinkingBudget: thinking } : {}
  return { thinkingConfig: { includeThoughts: true, ...budget } }
}

function openRouterReasoning(profile: Profile, thinking: Thinking | undefined): ProviderOptions {
  if (profile.thinking.control === 'none' || profile.thinking.control === 'always' || thinking === undefined) return {}
  if (profile.thinking.control === 'effort') {
    if (thinking === 'off') return { reasoning: { effort: 'low' } }
    return typeof thinking === 'number' ? { reasoning: { effort: effortFor(thinking) } } : {}
  }
  if (thinking === 'off') return { reasoning: { enabled: false } }
  return { reasoning: { max_tokens: budgetOf(profile, thinking) } }
}

const budgetOf = (profile: Profile, thinking: 'on' | number): number =>
  typeof thinking === 'number' ? Math.max(1024, thinking) : (profile.thinking.budget ?? 2048)

/** Which tools a reply may call: any or none, none, at least one, one tool, or some of them. */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { tool: string }
  | { tools: readonly string[]; mode: 'auto' | 'required' }

/** The rule for `none` in words. It goes to the end of the last message, so that the text before it stays unchanged. */
export const noCallRule = 'Do not call any tool in this reply. Answer in plain text.'

/** The rule a reply must follow. */
export interface ChoiceRule {
  /** Undefined: any tool. */
  allowed?: ReadonlySet<string>
  needsCall: boolean
  oneCall: boolean
}

/** The tools to offer: with a list, only the tools in it. */
function toolsToOffer({ tools = [], toolChoice = 'auto' }: Pick<ModelRequest, 'tools' | 'toolChoice'>): {
  tools: readonly OfferedTool[]
  choice: Exclude<ToolChoice, { mode: string }>
} {
  if (typeof toolChoice === 'string' || 'tool' in toolChoice) return { tools, choice: toolChoice }
  return { tools: tools.filter(({ name }) => toolChoice.tools.includes(name)), choice: toolChoice.mode }
}

export function choiceRule(request: ModelRequest): ChoiceRule {
  const oneCall = request.settings?.parallelCalls === false
  const { tools, choice } = toolsToOffer(request)
  if (choice === 'none') return { allowed: new Set(), needsCall: false, oneCall }
  if ((request.tools ?? []).length === 0) return { needsCall: false, oneCall }
  const isFree = choice === 'auto' && typeof request.toolChoice !== 'object'
  const allowed = typeof choice === 'object' ? [choice.tool] : tools.map(({ name }) => name)
  return { ...(!isFree && { allowed: new Set(allowed) }), needsCall: choice !== 'auto', oneCall }
}

/** The sentence that tells the model how its reply broke the rule; undefined if it did not. */
export function choiceViolation(rule: ChoiceRule, calls: number, refused: readonly string[]): string | undefined {
  if (calls > 0 || (!rule.needsCall && refused.length === 0)) return undefined
  const names = [...(rule.allowed ?? [])].join(', ')
  const tried = refused.map((name) => name.slice(0, 60) || 'a tool without a name').join(', ')
  if (names === '') return `No tool may be called in this reply, so ${tried} was not run. Answer in plain text.`
  const made = tried === '' ? 'no call was made' : `${tried} was not run`
  if (rule.needsCall) return `This reply must call one of these tools: ${names}. But ${made}. Make the call now.`
  return `Only these tools may be called in this reply: ${names}. So ${made}. Call one of them, or answer in plain text.`
}

export function choiceFailure(context: ModelContext, why: string): Failure {
  const message = `${context.modelId} did not follow the tool choice after a reminder: ${why}`
  return modelFailure('tool-choice', context, message, {
    hint: 'Let the model choose its tools, or use another model.',
  })
}

// Messages of a conversation, in our form and in the SDK's.

export const userMessage = (text: string): ModelMessage => ({ role: 'user', content: text })

/** The result of one call, as the model reads it. */
export interface CallResultMessage extends CallOutcome {
  id: string
  name: string
  text: string
}

/** How a call ended. Only models that are code, such as the offline one, get these fields. */
export interface CallOutcome {
  isError?: boolean
  /** The code of the failure, and the failure in the words of a user. */
  code?: FailureCode
  forUser?: string
  /** The call changed notes, so that it can be undone. */
  hasChanged?: true
}

/** The results of one step's calls, in the order of the calls. */
export function toolMessage(answers: readonly CallResultMessage[]): ToolModelMessage {
  const part = ({ id, name, text, isError, ...outcome }: CallResultMessage): ToolResultPart => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: { type: isError ? 'error-text' : 'text', value: text },
    ...(Object.keys(outcome).length > 0 && { providerOptions: { notewright: { ...outcome } } }),
  })
  return { role: 'tool', content: answers.map(part) }
}

/** The text of a tool result. */
export function resultText(output: LanguageModelV3ToolResultOutput): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type === 'execution-denied') return output.reason ?? 'User cancelled tool execution'
  return JSON.stringify(output.value)
}

/** Converts a message to the SDK's prompt format. Nothing is fetched: the provider follows the address of an image. */
function promptMessage(message: ModelMessage): LanguageModelV3Message {
  if (message.role === 'system') return message
  if (typeof message.content === 'string') {
    return { ...message, content: [{ type: 'text', text: message.content }] } as LanguageModelV3Message
  }
  if (message.role === 'user') return { ...message, content: message.content.map(userPart) }
  // Apart from files, which only users send, the two formats are the same.
  return message as LanguageModelV3Message
}

type UserPart = Exclude<UserModelMessage['content'], string>[number]
type PromptUserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]

function userPart(part: UserPart): PromptUserPart {
  if (part.type === 'text') return part
  const { type: _, ...rest } = part
  if (!('image' in rest)) return { ...rest, type: 'file', ...fileData(rest.data as FileData, rest.mediaType) }
  const { image, mediaType = 'image/*', ...more } = rest as Omit<typeof rest, 'image'> & { image: FileData }
  return { ...more, type: 'file', ...fileData(image, mediaType) }
}

/** The SDK also names a type of Node, which is one of these. */
type FileData = string | Uint8Array | ArrayBuffer | URL

function fileData(given: FileData, mediaType: string) {
  if (given instanceof ArrayBuffer) return { data: new Uint8Array(given), mediaType }
  const text = given instanceof URL ? given.href : given
  const inside = typeof text === 'string' ? /^data:([^;,]*)[^,]*;base64,/i.exec(text) : null
  if (inside !== null) return { data: String(text).slice(inside[0].length), mediaType: inside[1] || mediaType }
  return { data: typeof text === 'string' && /^https?:/i.test(text) ? new URL(text) : given, mediaType }
}
