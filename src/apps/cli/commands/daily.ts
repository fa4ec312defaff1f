import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { type ChangeOptions, changeOptions } from '../program/options.js'
import { callForCommand, reportChange } from '../session/call-tool.js'
import { withSession } from '../session/open-session.js'
import { textArgument, textFrom } from '../session/typed-text.js'
import { printNote, readWhole } from '../show/note.js'
import { visibleLine } from '../terminal/terminal.js'

export const declareDaily: DeclareCommand = (command, run) => {
  changeOptions(textArgument(command).option('--date <day>', 'day: yesterday, tomorrow or YYYY-MM-DD (default: today)'))
    .addHelpText(
      'after',
      examples(
        ['notewright daily', "show or create today's note"],
        ['notewright daily "- Sowed the peas."', 'add a line'],
        ['notewright daily --date yesterday'],
      ),
    )
    .action((words: string[], options) => run((to) => daily(to, words, options)))
}

interface DailyOptions extends ChangeOptions {
  date?: string
}

/** The output of `create_daily_note`. */
interface DailyNote {
  path: string
  created: boolean
  changed: boolean
}

/** Folder, name and template are those of Obsidian's daily notes. */
async function daily(invocation: Invocation, words: string[], { date, yes, dryRun }: DailyOptions): Promise<void> {
  const { terminal, signal } = invocation
  const content = await textFrom(words, invocation)
  await withSession(invocation, { yes, dryRun }, async (opened) => {
    const input = { ...(date !== undefined && { date }), ...(content !== undefined && { content }) }
    const call = { name: 'create_daily_note', input, needsApproval: 'Writing the daily note' }
    const done = await callForCommand(opened, call, signal)
    const { path, created, changed } = done.output as DailyNote
    const isWritten = done.changeSet !== undefined || done.planned !== undefined
    if (isWritten) reportChange(done, invocation, { created })
    if (content !== undefined || done.planned !== undefined) return
    const note = await readWhole(opened, { path }, signal)
    if (terminal.json) return isWritten ? undefined : terminal.printJson({ ...note, created, changed })
    if (!isWritten) terminal.say(terminal.messageStyle.faint(visibleLine(note.path)))
    if (note.text !== '') await printNote(note.text, terminal)
  })
}
