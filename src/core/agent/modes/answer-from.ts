import type { ToolResult } from '../../tools/index.js'
import { systemPrompt } from '../system-prompt.js'
import type { ModeEvents, ModeRun } from './mode-run.js'
import { requestWith } from './request-with.js'
import { takeStep } from './take-step.js'

/** One step without tools: the request together with what the calls found. */
export async function* answerFrom(run: ModeRun, results: readonly ToolResult[]): ModeEvents {
  const { turn, setup, progress } = run
  // The calls were ours, not the model's: in its conversation they are part of the request.
  progress.messages = [requestWith(run, results)]
  const messages = [...(turn.history ?? []), ...progress.messages]
  const system = systemPrompt({ ...setup, toolset: [] })
  const { failure } = yield* takeStep(run, { system, messages, tools: 'absent' })
  return failure ? { reason: 'failed', failure } : { reason: 'answered' }
}
