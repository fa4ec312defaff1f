import { localDateTime } from '../../../core/text/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { wholeNumber } from '../program/options.js'
import { changedNote, shortId } from '../session/last-change.js'
import { withNotebook } from '../session/open-notebook.js'
import { visibleLine } from '../terminal/terminal.js'
import { besideLabel, wrapToWidth } from '../terminal/text-width.js'

export const declareHistory: DeclareCommand = (command, run) => {
  command
    .option('-n, --limit <count>', 'show at most this many', wholeNumber(1, 100_000), 20)
    .option('--session <session>', 'only changes made by this chat')
    .option('--note <note>', 'only changes to this note')
    .addHelpText('after', examples(['notewright history'], ['notewright history -n 5 --json']))
    .action((options) => run((to) => showHistory(to, options)))
}

export interface HistoryOptions {
  limit: number
  session?: string
  note?: string
}

export async function showHistory(
  invocation: Invocation,
  { limit, session, note: wanted }: HistoryOptions,
): Promise<void> {
  const { terminal } = invocation
  await withNotebook(invocation, async (notebook) => {
    const note = await changedNote(notebook, wanted)
    const entries = await notebook.history({ limit, session, note })
    if (terminal.json) return terminal.printJson(entries)
    if (entries.length === 0) return terminal.say('No changes in this vault yet.')
    const { style, width } = terminal
    for (const { id, time, title, state, unsettled } of entries) {
      const isDamaged = state === 'damaged'
      const mark = isDamaged || state === 'applied' ? '' : ` (${state.replace('-', ' ')})`
      const went = unsettled?.went === 'finished' ? 'finished' : 'undone'
      const undecided = (unsettled?.notes ?? []).map(
        (path) => `${went}, except ${visibleLine(path)}: notewright recover`,
      )
      const date = style.faint(localDateTime(time))
      const rows = besideLabel(date, { labelWidth: 18, width }, (room) => {
        // A title can contain two paths, and neither is cut.
        const [first = '', ...more] = wrapToWidth(visibleLine(title), room - mark.length)
        if (isDamaged) return [first, ...more].map(style.warning)
        return [
          `${first}${style.warning(mark)}`,
          ...more,
          style.faint(terminal.isScreen ? shortId(id) : id),
          ...undecided,
        ]
      })
      for (const row of rows) terminal.print(row)
    }
  })
}
