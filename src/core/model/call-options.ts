import type { Profile } from './profile.js'
import type { JSONValue, LanguageModelV3CallOptions, SharedV3ProviderOptions } from './sdk.js'

/** How much a model may think before it answers: a number is a budget in tokens. */
export type Thinking = 'off' | 'on' | number

export interface CallSettings {
  temperature?: number
  topP?: number
  /** The reply ends before the first of these texts. */
  stop?: readonly string[]
  seed?: number
  presencePenalty?: number
  frequencyPenalty?: number
  maxOutputTokens?: number
  /** The answer is JSON, and fits the schema if there is one. */
  answer?: AnswerShape
  /** Unless told, as the profile says. */
  thinking?: Thinking
  /** Several calls in one step. Unless told, as the profile says. */
  parallelCalls?: boolean
}

export interface AnswerShape {
  schema?: Record<string, unknown>
  name?: string
  description?: string
  /** The provider is to let pass only what fits, where it can. */
  strict?: boolean
}

type CallOptions = Omit<LanguageModelV3CallOptions, 'prompt'> & { providerOptions: SharedV3ProviderOptions }

export type OfferedCalls = 'none' | 'free' | 'forced'

/** Says our few settings in every provider's own words at once: each package reads only what stands under its name. */
export function callOptions(profile: Profile, settings: CallSettings, tools: OfferedCalls): CallOptions {
  const wanted = settings.thinking ?? profile.thinking.unlessTold
  // Anthropic refuses a forced call together with thinking.
  const thinking = tools === 'forced' && profile.family === 'claude' ? 'off' : wanted
  // Without tools the APIs do not take a word about their calls.
  const parallel = tools === 'none' || (settings.parallelCalls ?? profile.parallelCalls)
  const isThinking = thinking !== undefined && thinking !== 'off'
  const mayWarm = profile.temperature === 'allowed' || (profile.temperature === 'not-while-thinking' && !isThinking)
  const { temperature, topP, stop, seed, presencePenalty, frequencyPenalty, maxOutputTokens, answer } = settings
  return {
    ...given({ ...(mayWarm && { temperature, topP }), seed, presencePenalty, frequencyPenalty, maxOutputTokens }),
    ...(stop && { stopSequences: [...stop] }),
    ...(answer && { responseFormat: answerFormat(answer) }),
    providerOptions: {
      openai: {
        store: false,
        ...effort(profile, thinking),
        ...(!parallel && { parallelToolCalls: false }),
        ...strictness(answer),
      },
      anthropic: { ...anthropicThinking(profile, thinking), ...(!parallel && { disableParallelToolUse: true }) },
      google: googleThinking(profile, thinking),
      openrouter: { ...openRouterReasoning(profile, thinking), ...(!parallel && { parallel_tool_calls: false }) },
      // Its own API knows whether, where a model does not know how much. It refuses the word for models that do not think.
      ollama: {
        ...effort(profile, thinking),
        ...strictness(answer),
        ...(settings.thinking && { think: settings.thinking !== 'off' }),
      },
      lmstudio: { ...effort(profile, thinking), ...strictness(answer) },
      compatible: { ...effort(profile, thinking), ...strictness(answer) },
    },
  }
}

/** What was said of these: a word about nothing is refused by some. */
function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>
}

function answerFormat({ schema, name, description }: AnswerShape) {
  return { type: 'json' as const, ...given({ schema: schema, name, description }) }
}

type Options = Record<string, JSONValue>

const strictness = (answer: AnswerShape | undefined): Options =>
  answer?.strict === undefined ? {} : { strictJsonSchema: answer.strict }

function effort(profile: Profile, thinking: Thinking | undefined): Options {
  if (profile.thinking.control !== 'effort' || thinking === undefined) return {}
  if (typeof thinking === 'number') return { reasoningEffort: effortFor(thinking) }
  return thinking === 'off' ? { reasoningEffort: String(profile.thinking.least ?? 'low') } : {}
}

const effortFor = (budget: number): string => (budget <= 2048 ? 'low' : budget <= 16_384 ? 'medium' : 'high')

function anthropicThinking(profile: Profile, thinking: Thinking | undefined): Options {
  if (profile.family !== 'claude' || profile.thinking.control !== 'budget' || thinking === undefined) return {}
  if (thinking === 'off') return { thinking: { type: 'disabled' } }
  return { thinking: { type: 'enabled', budgetTokens: budgetOf(profile, thinking) } }
}

function googleThinking(profile: Profile, thinking: Thinking | undefined): Options {
  const { control, least } = profile.thinking
  if (profile.family !== 'gemini' || control === 'none' || thinking === undefined) return {}
  if (control === 'effort') {
    const level = thinking === 'off' ? String(least ?? 'low') : typeof thinking === 'number' ? effortFor(thinking) : ''
    return { thinkingConfig: { includeThoughts: true, ...(level && { thinkingLevel: level }) } }
  }
  if (thinking === 'off') return { thinkingConfig: { thinkingBudget: Number(least ?? 0) } }
  const budget = typeof thinking === 'number' ? { thinkingBudget: thinking } : {}
  return { thinkingConfig: { includeThoughts: true, ...budget } }
}

function openRouterReasoning(profile: Profile, thinking: Thinking | undefined): Options {
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
