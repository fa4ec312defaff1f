import { userMessage } from '../../model/index.js'
import { requestText, systemPrompt } from '../system-prompt.js'
import type { ModeEvents, ModeRun } from './mode-run.js'
import { takeStep } from './take-step.js'

/** The model and the person, and no tools. */
export async function* chat(run: ModeRun): ModeEvents {
  const { turn, setup, progress } = run
  progress.messages.push(userMessage(requestText(turn)))
  const messages = [...(turn.history ?? []), ...progress.messages]
  const system = systemPrompt({ ...setup, toolset: [] })
  const { failure } = yield* takeStep(run, { system, messages, tools: 'absent' })
  return failure ? { reason: 'failed', failure } : { reason: 'answered' }
}
