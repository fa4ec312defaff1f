import type { Invocation } from '../../program/invocation.js'
import { withNotebook } from '../../session/with-notebook.js'
import { moment } from '../../show/quantities.js'
import { visibleLine, wrapToWidth } from '../../terminal/index.js'

export interface HistoryOptions {
  limit: number
  session?: string
  note?: string
}

export async function history(invocation: Invocation, { limit, session, note }: HistoryOptions): Promise<void> {
  const { terminal } = invocation
  await withNotebook(invocation, async (notebook) => {
    const entries = await notebook.history({ limit, session, note })
    if (terminal.json) return terminal.printJson(entries)
    if (entries.length === 0) return terminal.say('Notewright has not changed anything in this vault yet.')
    const { style, width } = terminal
    for (const { id, time, title, state, unsettled } of entries) {
      if (state === 'damaged') {
        const [first, ...more] = wrapToWidth(visibleLine(title), Math.max(20, width - 18))
        terminal.print(`${style.faint(moment(time))}  ${style.warning(first)}`)
        for (const line of more) terminal.print(`                  ${style.warning(line)}`)
        continue
      }
      const mark = state === 'applied' ? '' : ` (${state.replace('-', ' ')})`
      // Two paths can stand in a title, and neither is cut.
      const [first = '', ...more] = wrapToWidth(visibleLine(title), Math.max(20, width - 18 - mark.length))
      terminal.print(`${style.faint(moment(time))}  ${first}${style.warning(mark)}`)
      for (const line of more) terminal.print(`                  ${line}`)
      terminal.print(`                  ${style.faint(id)}`)
      if (unsettled === undefined) continue
      const went = unsettled.went === 'finished' ? 'finished' : 'taken back'
      for (const note of unsettled.notes) {
        terminal.print(`                  ${went}, but not ${visibleLine(note)}: notewright settle`)
      }
    }
  })
}
