import { modelFailureData, userMessage } from '../../model/index.js'
import type { ToolResult } from '../../tools/index.js'
import { atCommands } from '../at-commands.js'
import { requestText, systemPrompt } from '../system-prompt.js'
import { answerFrom } from './answer-from.js'
import type { ModeEvents, ModeRun } from './mode-run.js'
import { answerCalls, takeStep } from './take-step.js'

/** The model plans its calls once, `@commands` add theirs, and the answer is written from what they found. */
export async function* plan(run: ModeRun): ModeEvents {
  const { setup, progress } = run
  const { text, calls } = atCommands(run.turn.text)
  const turn = { ...run.turn, text }
  const own = calls.map((call) => ({ ...call, turn: turn.id }))
  const planned = yield* plannedCalls({ ...run, turn }, own.length > 0)
  if ('failure' in planned) return { reason: 'failed', failure: planned.failure }
  const all = [...own, ...planned.calls]
  if (all.length === 0) {
    if (progress.text.trim() !== '') return { reason: 'answered' }
    return yield* answerFrom({ ...run, turn }, [])
  }
  const results: ToolResult[] = yield* answerCalls({ ...run, turn }, all)
  return yield* answerFrom({ ...run, turn, setup }, results)
}

async function* plannedCalls(run: ModeRun, isHelped: boolean) {
  const { turn, setup, progress } = run
  if (setup.toolset.length === 0) return { calls: [] }
  progress.messages = [userMessage(requestText(turn))]
  const rule = isHelped
    ? 'What the person asked for with @ is already being looked up. Call further tools only if they are needed.'
    : 'Call all the tools you need now, at once: there will be no second chance. If none is needed, answer.'
  const system = `${systemPrompt(setup)}\n\n${rule}`
  const messages = [...(turn.history ?? []), ...progress.messages]
  const reply = yield* takeStep(run, { system, messages, tools: 'open' })
  // What the person asked for with @ is done whatever the model has planned.
  if (reply.failure && !(isHelped && modelFailureData(reply.failure)?.kind === 'empty'))
    return { failure: reply.failure }
  return { calls: reply.calls }
}
