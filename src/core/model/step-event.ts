import type { Failure } from '../errors.js'
import type { AssistantModelMessage } from './sdk.js'

/** One step of a model: words as they come, then its calls, then one ending (`finish` or `failed`). */
export type StepEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  /** A call is being written. It may still be lost with the connection: only `tool-call` is a call. */
  | { type: 'tool-input-start'; id: string; name: string }
  | { type: 'tool-input-delta'; id: string; text: string }
  /** Sent when the reply is complete, so that no call of a broken reply is ever run. */
  | { type: 'tool-call'; call: StepCall }
  /** Nothing had come yet; the request is sent again after the wait. */
  | { type: 'retry'; attempt: number; waitMs: number; failure: Failure }
  | StepFinish
  | StepFailed

export interface StepCall {
  id: string
  name: string
  /** Parsed, but checked against no schema. Absent arguments are `{}`. With `error`, the raw text. */
  input: unknown
  /** Why the arguments cannot be read. Such a call is answered with this sentence and never run. */
  error?: string
}

export interface StepFinish {
  type: 'finish'
  reason: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'
  usage: StepUsage
  /** The reply as the next step's prompt must repeat it, signatures and all. */
  message: AssistantModelMessage
  /** Words after a call that were dropped as written before the results were known. */
  cutCharacters?: number
}

export interface StepFailed {
  type: 'failed'
  failure: Failure
  /** What had come until then, without any calls; undefined when nothing had. */
  message?: AssistantModelMessage
}

/** In tokens; what a provider does not say is absent. */
export interface StepUsage {
  input?: number
  output?: number
  reasoning?: number
  cachedInput?: number
  /** In US dollars, where the provider says. */
  cost?: number
}
