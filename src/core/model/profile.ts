// Facts about a family of models, and the prompts that depend on them.

import type { FileKind } from '../files.js'

/** Facts about a family of models, as data: a new family is a new file in `profiles/`. */
export interface Profile {
  /** `gpt`, `claude`, …, `default`. */
  family: string
  /** How the model calls tools: by its provider's protocol, in the named text dialect, or `auto`: ask it once. */
  dialect: 'native' | 'auto' | (string & {})
  /** The dialect to use if its provider has no tool protocol, or refuses it for this model. */
  textDialect: string
  /** Its chat template opens the reasoning, so the reply begins inside it. */
  startsInReasoning: boolean
  thinking: ThinkingProfile
  temperature: 'allowed' | 'never' | 'not-while-thinking'
  /**
   * Context size in tokens at its usual providers, for those that do not report it. Self-hosted models have the size
   * they are started with.
   */
  window?: number
  /** File kinds the model accepts besides text, with the maximum bytes of one file. */
  files: Partial<Record<FileKind, number>>
  /** Maximum steps of one turn, unless the user sets another. */
  stepLimit: number
  parallelCalls: boolean
  /** True if the system prompt is marked for caching; other families cache without a mark. */
  cacheMarks: boolean
  /** Lines added after the system prompt when tools are offered. */
  toolRules: readonly string[]
  /** Added to a user message that needs tools. */
  toolReminder?: string | undefined
  /** Set for families that tend to answer before they have seen the results of their calls. */
  premature?: PrematureRule | undefined
}

/** How much a model may think before it answers; a number is a budget in tokens. */
export type Thinking = 'off' | 'on' | number

interface ThinkingProfile {
  /** The setting a request can make. `always`: the model thinks and nothing can be set. */
  control: 'none' | 'effort' | 'budget' | 'always'
  standard?: Thinking
  /** The budget in tokens for `on`. */
  budget?: number
  /** The lowest level, for models that cannot stop thinking. */
  lowest?: string | number
}

/** How much text around its calls indicates that a model answers without reading the notes. */
export interface PrematureRule {
  sentencesBefore: number
  charactersBefore: number
  charactersAfter: number
}

/** A family and its models that differ. Later variants win. */
export interface ProfileFamily {
  matches: RegExp
  profile: Partial<Profile> & { family: string }
  variants?: readonly { matches: RegExp; profile: Partial<Profile> }[]
}

/**
 * Builds the system prompt: the base, the tools, then the family's rules. Only appends, and gives the same text for
 * the same input, so that a provider's cache of the prefix stays valid.
 */
export function enhanceSystemPrompt(profile: Profile, basePrompt: string, toolDescriptions = ''): string {
  const rules = toolDescriptions === '' ? [] : profile.toolRules
  const ruleText = rules.map((rule) => `- ${rule}`).join('\n')
  return [basePrompt, toolDescriptions, ruleText].filter((part) => part.trim() !== '').join('\n\n')
}

/** The family's rules alone, for prompts whose tools are sent by the provider's protocol. */
export function toolRulesText(profile: Profile): string {
  return profile.toolRules.map((rule) => `- ${rule}`).join('\n')
}

/**
 * Appends the reminder to a user message, for families that talk about tools instead of calling them. Old messages get
 * it too, so that requests keep the same beginning.
 */
export function enhanceUserMessage(profile: Profile, message: string, requiresTools: boolean): string {
  return requiresTools && profile.toolReminder ? `${message}\n\n${profile.toolReminder}` : message
}

/** A rule for models that like to announce their calls. */
export const callInThisReply = 'When a tool is needed, call it in this reply. Do not announce a call without making it.'
