import { atCommands } from '../at-commands.js'
import { answerFrom } from './answer-from.js'
import type { ModeEvents, ModeRun } from './mode-run.js'
import { runCalls } from './take-step.js'

/** Retrieve, then answer with citations. */
export async function* vaultQa(run: ModeRun): ModeEvents {
  const { turn, found } = run
  const query = atCommands(turn.text).text
  const isLookedUp = query === '' || found.some(({ name }) => name === 'search_notes' || name === 'remember')
  if (isLookedUp) return yield* answerFrom(run, [])
  const search = { id: crypto.randomUUID(), name: 'search_notes', input: { query }, turn: turn.id }
  return yield* answerFrom(run, yield* runCalls(run, [search]))
}
