import { Failure } from '../../../../core/errors.js'
import type { Settle, UndoConflict } from '../../../../core/vault/index.js'
import type { Invocation } from '../../program/invocation.js'
import { settledBy, settleQuestion, showConflict } from '../../show/show-conflict.js'
import { pressKey } from '../../terminal/index.js'
import type { UndoOptions } from './undo.js'

/** How places are settled that were edited since: as the options say, or by asking for each; else not at all. */
export function settleConflicts({ terminal, signal }: Invocation, options: UndoOptions): Settle | undefined {
  const { keepMine, takeBack, dryRun, yes } = options
  if (keepMine && takeBack) throw new Failure('invalid-input', 'Choose one: --keep-mine or --take-back.')
  if (keepMine) return () => 'keep-mine'
  if (takeBack) return () => 'take-back'
  if (terminal.json || dryRun || yes || !terminal.canAsk) return undefined
  return async (conflict) => {
    terminal.say(showConflict(conflict, { style: terminal.messageStyle }))
    // Nothing, or Ctrl-D, leaves it open.
    for (;;) {
      const answer = await pressKey(terminal, settleQuestion, 'kt', signal)
      if (!answer) return undefined
      const settled = settledBy(answer)
      if (settled !== undefined) return settled
    }
  }
}

/** Shows what is left open, and says which options settle it. */
export function explainConflicts(error: unknown, { terminal }: Invocation): unknown {
  const conflicts = error instanceof Failure && (error.details.data?.conflicts as UndoConflict[] | undefined)
  if (!conflicts) return error
  if (!terminal.json) {
    for (const conflict of conflicts) terminal.say(showConflict(conflict, { style: terminal.messageStyle }))
  }
  const hint = 'Say what to do in all these places: --keep-mine or --take-back; or answer for each at a terminal.'
  return new Failure(error.code, error.message, { hint, data: error.details.data })
}
