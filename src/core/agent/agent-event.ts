import type { ApprovalEvent } from '../approval/index.js'
import type { FailureData } from '../errors.js'
import type { ModelMessage, ReplyCall, StepUsage } from '../model/index.js'
import type { ToolCall, ToolProgress, ToolResult } from '../tools/index.js'
import type { Citation } from './citations/index.js'
import type { Mode } from './turn.js'

/**
 * Everything that happens in a turn, in order. Every front end draws these and adds no logic of its own. Plain data:
 * each equals itself after JSON, so that it can be stored, sent, and drawn again.
 */
export type AgentEvent =
  | RunStart
  | { type: 'step-start'; step: number }
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  /** A model asked for a tool; `activity` is what a person sees: "Searching notes". */
  | { type: 'tool-call'; call: ToolCall; title: string; activity: string; background: boolean }
  | { type: 'tool-progress'; callId: string; progress: ToolProgress }
  /** `cached`: an identical call of this turn, a read or the change just made, was answered again without running. */
  | { type: 'tool-result'; call: ToolCall; result: ToolResult; cached?: true }
  /** The provider failed before anything came, and is asked again after the wait. */
  | { type: 'retrying'; why: string; waitMs: number }
  /**
   * Nothing has come yet; told every few seconds, so that a person sees that it is not stuck. `prompt`: a machine at home
   * is reading it. `retry`: the seconds are those that are left until the request is made again.
   */
  | { type: 'waiting'; why: 'prompt' | 'model' | 'retry'; seconds: number }
  /** Something the person should know: another mode taking over, a model going in circles. */
  | { type: 'notice'; text: string }
  | { type: 'step-end'; step: number; usage: StepUsage }
  /** What has come to the conversation. `anew`: in place of all that this turn had brought before. */
  | { type: 'messages'; messages: ModelMessage[]; anew?: true }
  /** A call waits for the person; and what became of it. */
  | ApprovalEvent
  /** A call of one of the client's own tools: it is the client's to make, and the turn ends with it. */
  | { type: 'call-handed'; call: Pick<ReplyCall, 'id' | 'name' | 'argumentsText'> }
  | { type: 'citations'; citations: Citation[] }
  | Compacted
  /** A new conversation begins in another project, or in the whole vault: what was said before does not count in it. */
  | { type: 'project-changed'; project?: string }
  | RunEnd

export interface RunStart {
  type: 'run-start'
  turn: string
  mode: Mode
  model: string
  /** What the person asked. */
  text: string
  /** Names of what they handed over with it. */
  attached?: string[]
  /** A turn that had broken off goes on; nothing new was asked. */
  continues?: true
}

/** Older turns, from the first number to the second, were summed up to make room. What they were stays in the store. */
export interface Compacted {
  type: 'compacted'
  from: number
  to: number
  /** Tokens of the conversation, as estimated. */
  before: number
  after: number
  /** What the model is told in their place. */
  summary: string
}

export interface RunEnd {
  type: 'run-end'
  /** `handed-over`: it goes on when the client has answered the calls of its own tools. */
  reason: 'answered' | 'handed-over' | 'step-limit' | 'stopped' | 'failed'
  /** The answer, as far as it came. */
  text: string
  /** What this turn adds to the conversation. */
  messages: ModelMessage[]
  steps: number
  usage: StepUsage
  failure?: FailureData
}
