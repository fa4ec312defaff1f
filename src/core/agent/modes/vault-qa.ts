import { answerFrom } from './answer-from.js'
import type { ModeEvents, ModeRun } from './mode-run.js'
import { answerCalls } from './take-step.js'

/** Retrieve, then answer with citations. */
export async function* vaultQa(run: ModeRun): ModeEvents {
  const { turn } = run
  const search = { id: crypto.randomUUID(), name: 'search_notes', input: { query: turn.text }, turn: turn.id }
  const results = yield* answerCalls(run, [search])
  return yield* answerFrom(run, results)
}
