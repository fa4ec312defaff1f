import { answerFrom } from './answer-from.js'
import type { ModeEvents, ModeRun } from './mode-run.js'

/** The model and the person, and no tools but those the person names with `@`. */
export async function* chat(run: ModeRun): ModeEvents {
  return yield* answerFrom(run, [])
}
