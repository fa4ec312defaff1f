import type { Item } from '../items.js'
import type { TextFormat } from './text-format.js'
import type { ClientChoice, ClientTool } from './tools.js'

/** What a client asks for, whichever API it speaks. */
export interface Asked {
  model: string
  instructions: string | null
  /** What is new in the conversation. */
  input: Item[]
  previousResponseId: string | null
  tools: ClientTool[]
  toolChoice: ClientChoice
  parallelToolCalls: boolean
  maxToolCalls: number | null
  maxOutputTokens: number | null
  temperature: number | null
  topP: number | null
  presencePenalty: number | null
  frequencyPenalty: number | null
  stop: string[] | null
  seed: number | null
  format: TextFormat
  reasoning: { effort: Effort | null; summary: string | null } | null
  truncation: 'auto' | 'disabled'
  stream: boolean
  store: boolean
  background: boolean
  include: string[]
  metadata: Record<string, string>
  safetyIdentifier: string | null
  promptCacheKey: string | null
}

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type Effort = (typeof efforts)[number]
