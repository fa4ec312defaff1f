import { Failure } from '../../../../core/errors.js'
import type { ChangeOptions } from '../../program/change-options.js'
import type { Invocation } from '../../program/invocation.js'
import { lastChange } from '../../session/last-change.js'
import { withNotebook } from '../../session/with-notebook.js'
import { count } from '../../show/quantities.js'
import { changesAsData, diffExcerpt, keptEdits } from '../../show/show-change-set.js'
import { confirm, visibleLine } from '../../terminal/index.js'
import { explainConflicts, settleConflicts } from './settle-conflicts.js'

export interface UndoOptions extends ChangeOptions {
  session?: string
  note?: string
  keepMine?: boolean
  takeBack?: boolean
}

export async function undo(invocation: Invocation, id: string | undefined, options: UndoOptions): Promise<void> {
  const { terminal, signal } = invocation
  const { session, note } = options
  if ([id, session, note].filter((given) => given !== undefined).length > 1) {
    throw new Failure('invalid-input', 'Choose one: a change set, --session or --note.')
  }
  await withNotebook(invocation, async (notebook) => {
    const isNamed = [id, session, note].some((given) => given !== undefined)
    const which = isNamed ? { id, session, note } : { id: await lastChange(notebook) }
    const changeSet = await notebook.planUndo(which, settleConflicts(invocation, options)).catch((error) => {
      throw explainConflicts(error, invocation)
    })
    const head = { id: changeSet.id, title: changeSet.title, merged: changeSet.merged ?? [] }

    if (options.dryRun && terminal.json) {
      return terminal.printJson({ ...head, applied: false, changes: await changesAsData(changeSet, notebook, true) })
    }
    if (!terminal.json) {
      const moves = changeSet.changes.filter((change) => change.kind === 'move')
      terminal.print(terminal.style.strong(visibleLine(changeSet.title)))
      for (const { path, to } of moves.slice(0, 10)) terminal.print(`  move ${visibleLine(path)} to ${visibleLine(to)}`)
      if (moves.length > 10) terminal.print(`  … and ${count(moves.length - 10, 'more move')}`)
      const merged = keptEdits(changeSet, terminal)
      if (merged !== '') terminal.print(merged)
      const excerpt = await diffExcerpt(changeSet, notebook, terminal)
      if (excerpt !== '') terminal.print(`\n${excerpt}`)
      if (options.dryRun) return terminal.say('Nothing was changed (--dry-run).')
    }
    if (!options.yes) {
      if (terminal.json && terminal.canAsk) terminal.say(visibleLine(changeSet.title))
      await confirm(terminal, { text: 'Take it back?', needs: 'Undoing needs your approval.', signal })
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
    terminal.say(`Done. ${count(changeSet.changes.length, 'change')} taken back.`)
  })
}
