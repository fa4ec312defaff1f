import type { Failure } from '../../../core/errors.js'
import type { ModelMessage, StepUsage } from '../../../core/model/index.js'
import type { Annotation, StepItem } from '../items.js'

/** What is told of a reply, checked and in its own order. Ends with `finish` or `failed`. */
export type Told =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  /** A call that the client will get; its arguments follow as they are written. */
  | { type: 'call-start'; id: string; name: string }
  | { type: 'call-delta'; id: string; text: string }
  | { type: 'call-end'; id: string; name: string; argumentsText: string }
  /** What the provider wants back with the thoughts told last. */
  | { type: 'thought-seal'; sealed: string }
  | { type: 'annotations'; annotations: Annotation[] }
  | { type: 'step'; step: StepItem }
  /** `messages`: what the vault's agent keeps of the turn. */
  | { type: 'finish'; reason: FinishReason; usage: StepUsage; messages?: ModelMessage[] }
  | { type: 'failed'; failure: Failure; usage?: StepUsage }

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter'
