import type { StepUsage } from '../../../core/model/index.js'
import type { ApiError } from '../../server/index.js'
import { newId } from '../ids.js'
import type { Item } from '../items.js'
import type { Asked } from '../request/asked.js'

export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

/** A response with all its fields; those without a value are null, never absent. */
export interface ResponseObject {
  id: string
  object: 'response'
  created_at: number
  completed_at: number | null
  status: ResponseStatus
  incomplete_details: { reason: 'max_output_tokens' | 'content_filter' } | null
  model: string
  previous_response_id: string | null
  instructions: string | null
  output: Item[]
  error: { code: string; message: string } | null
  tools: Asked['tools']
  tool_choice: Asked['toolChoice']
  truncation: Asked['truncation']
  parallel_tool_calls: boolean
  text: { format: Asked['format'] }
  top_p: number
  presence_penalty: number
  frequency_penalty: number
  top_logprobs: number
  temperature: number
  reasoning: Asked['reasoning']
  usage: Usage | null
  max_output_tokens: number | null
  max_tool_calls: number | null
  store: boolean
  background: boolean
  service_tier: 'default'
  metadata: Record<string, string>
  safety_identifier: string | null
  prompt_cache_key: string | null
}

export interface Usage {
  input_tokens: number
  input_tokens_details: { cached_tokens: number }
  output_tokens: number
  output_tokens_details: { reasoning_tokens: number }
  total_tokens: number
}

export function newResponse(asked: Asked, status: ResponseStatus = 'in_progress', id = newId('resp')): ResponseObject {
  return {
    id,
    object: 'response',
    created_at: nowSeconds(),
    completed_at: null,
    status,
    incomplete_details: null,
    model: asked.model,
    previous_response_id: asked.previousResponseId,
    instructions: asked.instructions,
    output: [],
    error: null,
    tools: asked.tools,
    tool_choice: asked.toolChoice,
    truncation: asked.truncation,
    parallel_tool_calls: asked.parallelToolCalls,
    text: { format: asked.format },
    top_p: asked.topP ?? 1,
    presence_penalty: asked.presencePenalty ?? 0,
    frequency_penalty: asked.frequencyPenalty ?? 0,
    top_logprobs: 0,
    temperature: asked.temperature ?? 1,
    reasoning: asked.reasoning,
    usage: null,
    max_output_tokens: asked.maxOutputTokens,
    max_tool_calls: asked.maxToolCalls,
    store: asked.store,
    background: asked.background,
    service_tier: 'default',
    metadata: asked.metadata,
    safety_identifier: asked.safetyIdentifier,
    prompt_cache_key: asked.promptCacheKey,
  }
}

/** In tokens; what the backend did not say is 0. */
export function usageOf({ input = 0, output = 0, reasoning = 0, cachedInput = 0 }: StepUsage): Usage {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}

export function errorOf({ code, message }: ApiError): ResponseObject['error'] {
  return { code: code ?? 'server_error', message }
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)
