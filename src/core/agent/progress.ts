import type { ModelMessage, StepUsage } from '../model/index.js'
import { type TurnMemory, turnMemory } from './calls/turn-memory.js'

/** What a turn has come to so far; shared by the modes, so that one can take over from another. */
export interface Progress {
  /** What this turn adds to the conversation. */
  messages: ModelMessage[]
  text: string
  steps: number
  usage: StepUsage
  memory: TurnMemory
  /** Something was written or sent: from here on no other mode may start over. */
  hadEffect: boolean
  /** The model was asked about a call that it meant and did not make: once a turn is enough. */
  wasAskedBack: boolean
}

export function newProgress(): Progress {
  return { messages: [], text: '', steps: 0, usage: {}, memory: turnMemory(), hadEffect: false, wasAskedBack: false }
}
