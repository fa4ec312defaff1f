import type { FileKind } from '../files/index.js'
import type { Thinking } from './call-options.js'

/** What is known about a family of models. Data: a new family is a new file of `profiles/`. */
export interface Profile {
  /** `gpt`, `claude`, …, `default`. */
  family: string
  /** How it calls tools: by its provider's own protocol, by the text dialect named, or `auto`: ask it once. */
  dialect: 'native' | 'auto' | (string & {})
  /** The dialect when its provider has no tool protocol, or refuses it for this model. */
  textDialect: string
  /** Its chat template opens the reasoning, so the reply begins inside it. */
  startsInReasoning: boolean
  thinking: ThinkingProfile
  temperature: 'allowed' | 'never' | 'not-while-thinking'
  /** Tokens its usual providers give it, where they do not say. Models that people run themselves have what they are started with. */
  window?: number
  /** What it looks at besides text, and how many bytes one of them may have. */
  files: Partial<Record<FileKind, number>>
  /** Steps of one turn, unless the person says otherwise. */
  stepLimit: number
  parallelCalls: boolean
  /** Marks the system prompt as worth caching; other families cache by themselves. */
  cacheMarks: boolean
  /** Lines added after the system prompt when tools are offered. */
  toolRules: readonly string[]
  /** Added to a user's message that needs tools. */
  toolReminder?: string
  /** It tends to write its answer before it has seen what its calls found. */
  premature?: PrematureRule
}

export interface ThinkingProfile {
  /** What a request can say about it. `always`: it thinks, and nothing can be said. */
  control: 'none' | 'effort' | 'budget' | 'always'
  unlessTold?: Thinking
  /** Tokens that `on` stands for. */
  budget?: number
  /** The lowest it goes, where it cannot be switched off. */
  least?: string | number
}

/** How much a model may say around its calls before it is clear that it answers without having looked. */
export interface PrematureRule {
  sentencesBefore: number
  charactersBefore: number
  charactersAfter: number
}

/** A family and the models in it that differ. Later variants win. */
export interface ProfileFamily {
  matches: RegExp
  profile: Partial<Profile> & { family: string }
  variants?: readonly { matches: RegExp; profile: Partial<Profile> }[]
}
