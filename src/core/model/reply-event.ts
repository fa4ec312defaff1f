import type { Failure } from '../errors.js'
import type { AssistantModelMessage, SharedV3ProviderOptions } from './sdk.js'

/** A model's reply in its own order, as it comes. Ends with `finish` or `failed`, never both. */
export type ReplyEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  /** The thoughts told last are over, and the provider wants this back with them. */
  | { type: 'reasoning-signed'; providerOptions: SharedV3ProviderOptions }
  /** A call is being written. It may still be lost with the connection: only `tool-call` is a call. */
  | { type: 'tool-input-start'; id: string; name: string }
  | { type: 'tool-input-delta'; id: string; text: string }
  /** A call, whole. The reply may still fail: who acts on calls waits for `finish`. */
  | { type: 'tool-call'; call: ReplyCall }
  /** Nothing had come yet; the request is sent again after the wait. */
  | { type: 'retry'; attempt: number; waitMs: number; failure: Failure }
  /** Something to know about how the model is spoken to. */
  | { type: 'notice'; text: string }
  /** The reply did not keep to the choice of tools, so the model is told and asked once more. Its calls do not count. */
  | { type: 'repair'; why: string }
  | ReplyFinish
  | ReplyFailed

export interface ReplyCall {
  id: string
  name: string
  /** Exactly as the model wrote them, where it wrote JSON. */
  argumentsText: string
  /** The same parsed, but checked against no schema. Absent arguments are `{}`. With `error`, the text. */
  input: unknown
  /** Why the arguments cannot be read. Such a call is answered with this sentence and never run. */
  error?: string
}

export interface ReplyFinish {
  type: 'finish'
  reason: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'
  usage: StepUsage
  /** The reply as the next request must repeat it, signatures and all. */
  message: ReplyMessage
}

export interface ReplyFailed {
  type: 'failed'
  failure: Failure
  /** What had come until then, without any calls; undefined when nothing had. */
  message?: ReplyMessage
}

export type ReplyPiece = Extract<
  Exclude<AssistantModelMessage['content'], string>[number],
  { type: 'text' | 'reasoning' | 'tool-call' }
>

export interface ReplyMessage extends AssistantModelMessage {
  content: ReplyPiece[]
}

/** In tokens; what a provider does not say is absent. */
export interface StepUsage {
  input?: number
  output?: number
  reasoning?: number
  cachedInput?: number
  /** Input that the provider keeps for the next request, where that has a price of its own. */
  cacheWrite?: number
  /** In US dollars, where the provider says. */
  cost?: number
}
