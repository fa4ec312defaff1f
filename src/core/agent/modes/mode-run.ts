import type { Failure } from '../../errors.js'
import type { ToolResult } from '../../tools/index.js'
import type { AgentEvent } from '../agent-event.js'
import type { Progress } from '../progress.js'
import type { TimeLimit } from '../time-limit.js'
import type { AgentSetup, Turn } from '../turn.js'

export interface ModeRun {
  turn: Turn
  setup: AgentSetup
  progress: Progress
  limit: TimeLimit
  /** What the person asked for with `@`, done before the mode begins. */
  found: readonly ToolResult[]
}

/** How a mode ended; a stop by the person is thrown, not returned. */
export interface Ending {
  reason: 'answered' | 'handed-over' | 'step-limit' | 'failed'
  failure?: Failure
}

export type ModeEvents = AsyncGenerator<AgentEvent, Ending>
