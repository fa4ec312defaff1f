import { userMessage } from '../../model/index.js'
import type { ToolResult } from '../../tools/index.js'
import { cutToFit } from '../budget/fold-message.js'
import { requestRoom } from '../budget/window-share.js'
import { enveloped, requestText, systemPrompt } from '../system-prompt.js'
import type { ModeEvents, ModeRun } from './mode-run.js'
import { takeStep } from './take-step.js'

const resultShare = 0.6

/** One step without tools: the request together with what the calls found. */
export async function* answerFrom(run: ModeRun, results: readonly ToolResult[]): ModeEvents {
  const { turn, setup, progress } = run
  // Here they are part of the request, which is never trimmed, so they share what may be theirs.
  const share = setup.window && Math.floor((requestRoom(setup.window) * resultShare) / Math.max(1, results.length))
  const shown = (text: string) => (share === undefined ? text : cutToFit(text, share))
  const found = results.map((result) => enveloped(`result of ${result.name}`, shown(result.text)))
  // The calls were ours, not the model's: in its conversation they are part of the request.
  progress.messages = [userMessage(requestText(turn, found))]
  const messages = [...(turn.history ?? []), ...progress.messages]
  const system = systemPrompt({ ...setup, toolset: [] })
  const { failure } = yield* takeStep(run, { system, messages, tools: 'absent' })
  return failure ? { reason: 'failed', failure } : { reason: 'answered' }
}
