import { Option } from 'commander'
import { Failure } from '../../../core/errors.js'
import type { ChooseConflict, UndoConflict } from '../../../core/vault/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { type ChangeOptions, changeOptions, nothingChanged, renamedOption } from '../program/options.js'
import { changedNote, changeNamed, lastChange } from '../session/last-change.js'
import { withNotebook } from '../session/open-notebook.js'
import { changesAsData, conflictQuestion, parseConflictChoice, showConflict } from '../show/changes.js'
import { undoWords } from '../show/undo.js'
import { confirm, pressKey, visibleLine } from '../terminal/terminal.js'

export const declareUndo: DeclareCommand = (command, run) => {
  changeOptions(
    command
      .argument('[id]', 'id of the change from `notewright history`, or the start of it')
      .option('--session <session>', 'undo every change of one chat')
      .option('--note <note>', 'undo the last change to this note'),
  )
  const keep = new Option('--keep-edits', 'if later edits touch the same lines, keep the edits')
  const discard = new Option('--discard-edits', 'if later edits touch the same lines, undo the edits too')
  renamedOption(renamedOption(command, keep, '--keep-mine'), discard, '--take-back')
    .addHelpText('after', examples(['notewright undo'], ['notewright undo --note Projects/Plan.md --dry-run']))
    .action((id: string | undefined, options) => run((to) => undo(to, id, options)))
}

export interface UndoOptions extends ChangeOptions {
  session?: string
  note?: string
  keepEdits?: boolean
  discardEdits?: boolean
}

export async function undo(invocation: Invocation, id: string | undefined, options: UndoOptions): Promise<void> {
  const { terminal, signal } = invocation
  const { session, note } = options
  if ([id, session, note].filter((given) => given !== undefined).length > 1) {
    throw new Failure('invalid-input', 'Choose one: the id of a change, --session or --note.')
  }
  await withNotebook(invocation, async (notebook) => {
    const isNamed = [id, session, note].some((given) => given !== undefined)
    const which = isNamed
      ? {
          ...(id !== undefined && { id: await changeNamed(notebook, id) }),
          session,
          note: await changedNote(notebook, note),
        }
      : { id: await lastChange(notebook) }
    const changeSet = await notebook.planUndo(which, resolveConflicts(invocation, options)).catch((error) => {
      throw explainConflicts(error, invocation)
    })
    const head = { id: changeSet.id, title: changeSet.title, merged: changeSet.merged ?? [] }

    if (options.dryRun && terminal.json) {
      return terminal.printJson({ ...head, applied: false, changes: await changesAsData(changeSet, notebook, true) })
    }
    const words = await undoWords(changeSet, notebook, terminal)
    if (!terminal.json) {
      terminal.print(words.preview)
      if (options.dryRun) return terminal.say(nothingChanged)
    }
    if (!options.yes) {
      if (terminal.json && terminal.canAsk) terminal.say(visibleLine(changeSet.title))
      await confirm(terminal, { text: 'Undo this?', needs: 'Undoing needs your approval.', signal })
    }
    signal.throwIfAborted()
    const { appliedAt } = await notebook.apply(changeSet)
    if (terminal.json) {
      return terminal.printJson({
        ...head,
        applied: true,
        appliedAt,
        changes: await changesAsData(changeSet, notebook),
      })
    }
    terminal.say(words.done)
  })
}

/** Resolves places that were edited since: by the options, or by asking for each; otherwise they stay unresolved. */
export function resolveConflicts({ terminal, signal }: Invocation, options: UndoOptions): ChooseConflict | undefined {
  const { keepEdits, discardEdits, dryRun, yes } = options
  if (keepEdits && discardEdits) throw new Failure('invalid-input', 'Choose one: --keep-edits or --discard-edits.')
  if (keepEdits) return () => 'keep-mine'
  if (discardEdits) return () => 'take-back'
  if (terminal.json || dryRun || yes || !terminal.canAsk) return undefined
  return async (conflict) => {
    terminal.say(showConflict(conflict, { style: terminal.messageStyle }))
    // Nothing, or Ctrl-D, leaves it open.
    for (;;) {
      const answer = await pressKey(terminal, conflictQuestion, 'ku', signal)
      if (!answer) return undefined
      const settled = parseConflictChoice(answer)
      if (settled !== undefined) return settled
    }
  }
}

/** Shows open conflicts, and names the options that resolve them. */
export function explainConflicts(error: unknown, { terminal }: Invocation): unknown {
  const conflicts = error instanceof Failure && (error.details.data?.conflicts as UndoConflict[] | undefined)
  if (!conflicts) return error
  if (!terminal.json) {
    for (const conflict of conflicts) terminal.say(showConflict(conflict, { style: terminal.messageStyle }))
  }
  const hint = 'Add --keep-edits or --discard-edits, or run this in a terminal to decide for each place.'
  return new Failure(error.code, error.message, { hint, data: error.details.data })
}
