import { modelFailureData } from '../../model/index.js'
import { systemPrompt } from '../system-prompt.js'
import { answerFrom } from './answer-from.js'
import type { ModeEvents, ModeRun } from './mode-run.js'
import { requestWith } from './request-with.js'
import { answerCalls, takeStep } from './take-step.js'

/** The model plans its calls once, and the answer is written from what they found. */
export async function* plan(run: ModeRun): ModeEvents {
  const { progress } = run
  const planned = yield* plannedCalls(run)
  if ('failure' in planned) return { reason: 'failed', failure: planned.failure }
  if (planned.calls.length === 0) {
    if (progress.text.trim() !== '') return { reason: 'answered' }
    return yield* answerFrom(run, [])
  }
  return yield* answerFrom(run, yield* answerCalls(run, planned.calls))
}

async function* plannedCalls(run: ModeRun) {
  const { turn, setup, progress, found } = run
  if (setup.toolset.length === 0) return { calls: [] }
  const isHelped = found.length > 0
  progress.messages = [requestWith(run)]
  const rule = isHelped
    ? 'What the person asked for with @ has been done. Call further tools only if they are needed.'
    : 'Call all the tools you need now, at once: there will be no second chance. If none is needed, answer.'
  const system = `${systemPrompt(setup)}\n\n${rule}`
  const messages = [...(turn.history ?? []), ...progress.messages]
  const reply = yield* takeStep(run, { system, messages, tools: 'open' })
  // What the person asked for with @ is answered whatever the model has planned.
  if (reply.failure && !(isHelped && modelFailureData(reply.failure)?.kind === 'empty'))
    return { failure: reply.failure }
  return { calls: reply.calls }
}
