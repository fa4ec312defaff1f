import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { namesNote } from '../program/options.js'
import { withSession } from '../session/open-session.js'
import { type PartOfNote, printNote, readWhole } from '../show/note.js'

export const declareRead: DeclareCommand = (command, run) => {
  command
    .argument('<note>', namesNote)
    .option('--heading <heading>', 'only this section; use "Plan#Goals" if several have that name')
    .option('--lines <range>', 'only these lines, e.g. 10-20')
    .addHelpText(
      'after',
      examples(
        ['notewright read "Garden plan"'],
        ['notewright read Garden/Compost.md --heading Worms'],
        ['notewright read Home --lines 1-10 --json'],
      ),
    )
    .action((note: string, options) => run((to) => read(to, note, options)))
}

/** Prints a note: drawn on a screen with colour, and as it is everywhere else. */
async function read(invocation: Invocation, note: string, options: PartOfNote): Promise<void> {
  const { terminal, signal } = invocation
  await withSession(invocation, {}, async (opened) => {
    const found = await readWhole(opened, { path: note, ...options }, signal)
    if (terminal.json) return terminal.printJson(found)
    await printNote(found.text, terminal)
    if (found.notUtf8) terminal.say('The file is not valid UTF-8: unreadable bytes are shown as U+FFFD.')
  })
}
