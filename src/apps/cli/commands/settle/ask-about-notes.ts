import { Failure } from '../../../../core/errors.js'
import type { HistoryEntry, NotePath, Settlement, SettleTarget } from '../../../../core/vault/index.js'
import type { FolderNotebook } from '../../../../hosts/node/open-notebook.js'
import { askKey, terminalConversation } from '../../approval/index.js'
import type { Invocation } from '../../program/invocation.js'
import { diffExcerpt } from '../../show/show-change-set.js'
import { visibleLine } from '../../terminal/index.js'

const answers: Record<string, Settlement> = { k: 'keep', t: 'take-back', f: 'finish' }

/** Shows what each decision would do to a note, and asks for one, note by note. Who leaves decides no more. */
export async function askAboutNotes(
  { terminal, signal }: Invocation,
  notebook: FolderNotebook,
  { id, unsettled }: HistoryEntry,
): Promise<SettleTarget['decisions']> {
  const conversation = terminalConversation(terminal)
  const decisions: SettleTarget['decisions'] = []
  for (const note of unsettled?.notes ?? []) {
    terminal.say(`\n${terminal.messageStyle.strong(visibleLine(note))}`)
    for (const how of ['take-back', 'finish'] as const) {
      terminal.say(`${how === 'take-back' ? 'Taking it back' : 'Finishing it'} would`)
      terminal.say(await effectOf(notebook, { id, decisions: [{ note, how }] }, terminal))
    }
    const answer = await askKey(
      conversation,
      '[k]eep it as it is, [t]ake it back, [f]inish it, or Enter for later: ',
      'ktf',
      signal,
    )
    if (answer === undefined) break
    const how = answers[answer.trim().toLowerCase().slice(0, 1)]
    if (how !== undefined) decisions.push({ note: note as NotePath, how })
  }
  return decisions
}

async function effectOf(
  notebook: FolderNotebook,
  target: SettleTarget,
  terminal: Invocation['terminal'],
): Promise<string> {
  try {
    const changeSet = await notebook.vault.planSettle(target)
    const moves = changeSet.changes.flatMap((change) =>
      change.kind === 'move' ? [`move ${visibleLine(change.path)} to ${visibleLine(change.to)}`] : [],
    )
    const style = terminal.messageStyle
    const text = [...moves, await diffExcerpt(changeSet, notebook, { style, width: terminal.messageWidth })]
      .join('\n')
      .trim()
    return text === '' ? 'change nothing.' : text
  } catch (error) {
    if (error instanceof Failure) return `not be possible: ${visibleLine(error.message)}`
    throw error
  }
}
