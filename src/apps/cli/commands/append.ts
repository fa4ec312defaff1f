import { Failure } from '../../../core/errors.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { type ChangeOptions, changeOptions, namesNote } from '../program/options.js'
import { callForCommand, reportChange } from '../session/call-tool.js'
import { withSession } from '../session/open-session.js'
import { textArgument, textFrom } from '../session/typed-text.js'

export const declareAppend: DeclareCommand = (command, run) => {
  changeOptions(
    textArgument(command.argument('<note>', namesNote)).option(
      '--heading <heading>',
      'add the text at the end of this section',
    ),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright append "Shopping list" "- milk"'],
        ['notewright append Garden/Compost.md --heading Worms "More of them."', 'to a section'],
        ['git log -1 | notewright append "Work log" - --yes', 'from another program'],
      ),
    )
    .action((note: string, words: string[], options) => run((to) => append(to, note, words, options)))
}

interface AppendOptions extends ChangeOptions {
  heading?: string
}

async function append(invocation: Invocation, note: string, words: string[], options: AppendOptions): Promise<void> {
  const { heading, yes, dryRun } = options
  const content = await textFrom(words, invocation)
  if (content === undefined) {
    throw new Failure('invalid-input', 'No text to add.', {
      hint: 'For example: notewright append "Shopping list" "- milk"',
    })
  }
  await withSession(invocation, { yes, dryRun }, async (opened) => {
    const input = { path: note, content, ...(heading !== undefined && { heading }) }
    const call = { name: 'append_note', input, needsApproval: 'Adding to a note' }
    reportChange(await callForCommand(opened, call, invocation.signal), invocation)
  })
}
