import type { ModelMessage, StepUsage } from '../model/index.js'
import { type TurnMemory, turnMemory } from './calls/turn-memory.js'

/** What a turn has come to so far; shared by the modes, so that one can take over from another. */
export interface Progress {
  /** What this turn adds to the conversation. */
  messages: ModelMessage[]
  text: string
  steps: number
  usage: StepUsage
  /** What share of the window is used: less, once the server has refused a request as too long. */
  share: number
  /** How much the person knows to have been trimmed. */
  trimmed?: { folded: number; dropped: number }
  /** Notes that calls of this turn found or read. */
  found: Set<string>
  memory: TurnMemory
  /** Something was written or sent: from here on no other mode may start over. */
  hadEffect: boolean
  /** The model was asked about a call that it meant and did not make: once a turn is enough. */
  wasAskedBack: boolean
}

export function newProgress(): Progress {
  return {
    messages: [],
    text: '',
    steps: 0,
    usage: {},
    share: 1,
    found: new Set(),
    memory: turnMemory(),
    hadEffect: false,
    wasAskedBack: false,
  }
}
