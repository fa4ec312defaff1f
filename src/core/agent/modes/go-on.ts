import type { AgentEvent } from '../agent-event.js'
import { openCalls } from '../conversation.js'
import type { BegunTurn } from '../turn.js'
import { answerFrom } from './answer-from.js'
import type { ModeEvents, ModeRun } from './mode-run.js'
import { answerCalls } from './take-step.js'

/** Takes up the loop where it broke off: the calls that had not happened are made, and all are answered. */
export async function* goOn(run: ModeRun, { messages, results, calls }: BegunTurn): AsyncGenerator<AgentEvent> {
  run.progress.messages.push(...messages)
  yield* answerCalls(run, calls, { known: results, order: openCalls(messages) })
}

/** The same where all calls are made once, before the answer. */
export async function* goOnPlanned(run: ModeRun, { results, calls }: BegunTurn): ModeEvents {
  const made = yield* answerCalls(run, calls)
  return yield* answerFrom(run, [...results, ...made])
}
