// The events of a reply and the reply they add up to.

import type { Failure } from '../errors.js'
import type { AssistantModelMessage, SharedV3ProviderOptions } from './sdk.js'

/** A model's reply in its own order, as it arrives. Ends with either `finish` or `failed`. */
export type ReplyEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  /** The last reasoning is complete, and the provider wants this signature back with it. */
  | { type: 'reasoning-signed'; providerOptions: SharedV3ProviderOptions }
  /** A call has begun. It may still be lost with the connection: only `tool-call` is a call. */
  | { type: 'tool-input-start'; id: string; name: string }
  | { type: 'tool-input-delta'; id: string; text: string }
  /** A complete call. The reply may still fail: callers that act on calls wait for `finish`. */
  | { type: 'tool-call'; call: ReplyCall }
  /** Nothing had arrived yet; the request is sent again after the wait. */
  | { type: 'retry'; attempt: number; attempts: number; waitMs: number; failure: Failure }
  /** Information about how the model is addressed. */
  | { type: 'notice'; text: string }
  /** The reply broke the choice of tools, so the model is asked once more. Its calls do not count. */
  | { type: 'repair'; why: string }
  | ReplyFinish
  | ReplyFailed

export interface ReplyCall {
  id: string
  name: string
  /** Exactly as the model wrote them, if it wrote JSON. */
  argumentsText: string
  /** The parsed arguments, not validated. Absent arguments are `{}`. With `error`, the text. */
  input: unknown
  /** The reason the arguments cannot be read. Such a call is answered with this sentence and never run. */
  error?: string
  /** With `error`: the model's text, if it cannot be read as a call of an offered tool. */
  written?: string
}

export interface ReplyFinish {
  type: 'finish'
  reason: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'
  usage: StepUsage
  /** The reply as the next request must repeat it, including signatures. */
  message: ReplyMessage
}

export interface ReplyFailed {
  type: 'failed'
  failure: Failure
  /** The reply up to the failure, without calls; undefined if nothing had arrived. */
  message?: ReplyMessage
}

export type ReplyPiece = Extract<
  Exclude<AssistantModelMessage['content'], string>[number],
  { type: 'text' | 'reasoning' | 'tool-call' }
>

export interface ReplyMessage extends AssistantModelMessage {
  content: ReplyPiece[]
}

/** In tokens; counts the provider does not report are absent. */
export interface StepUsage {
  input?: number
  output?: number
  reasoning?: number
  cachedInput?: number
  /** Input that the provider caches for the next request, if that has its own price. */
  cacheWrite?: number
  /** In US dollars, if the provider reports it. */
  cost?: number
}
