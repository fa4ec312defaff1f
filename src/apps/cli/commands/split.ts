import { Option } from 'commander'
import { Failure } from '../../../core/errors.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { type ChangeOptions, changeOptions, noteAndPart } from '../program/options.js'
import { callForCommand, reportChange } from '../session/call-tool.js'
import { withSession } from '../session/open-session.js'

export const declareSplit: DeclareCommand = (command, run) => {
  changeOptions(
    command
      .argument('<note#part>', 'the section as in a link: Note#Heading, or Note#^block')
      .option('--lines <lines>', 'lines instead of a section, such as 10-20')
      .option('--to <path>', 'name, Folder/ or path of the new note; default: the heading, in the same folder')
      .addOption(
        new Option('--leave <what>', 'what stays in its place').choices(['link', 'embed', 'nothing']).default('link'),
      ),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright split "Roof repair#Offers"', 'to a new note Offers, with a link left behind'],
        ['notewright split Journal.md#Ideas --to Ideas/Winter.md --leave embed'],
        ['notewright split Journal.md --lines 40-80 --to "Trip to Oslo" --dry-run'],
      ),
    )
    .action((part: string, options: SplitOptions) => run((to) => split(to, part, options)))
}

interface SplitOptions extends ChangeOptions {
  lines?: string
  to?: string
  leave: string
}

async function split(invocation: Invocation, written: string, options: SplitOptions): Promise<void> {
  const { lines, to, leave, yes, dryRun } = options
  const { path, part } = noteAndPart(written)
  if (part === undefined && lines === undefined) {
    throw new Failure('invalid-input', 'No section is given.', {
      hint: `For example: notewright split "${path}#Heading", or use --lines`,
    })
  }
  const selection = part === undefined ? {} : part.startsWith('^') ? { block: part } : { heading: part }
  await withSession(invocation, { yes, dryRun }, async (opened) => {
    const input = { path, ...selection, ...(lines !== undefined && { lines }), ...(to !== undefined && { to }), leave }
    const call = { name: 'split_note', input, needsApproval: 'Splitting a note' }
    const done = await callForCommand(opened, call, invocation.signal)
    const { new_path: newPath, links } = done.output as { new_path: string; links: number }
    reportChange(done, invocation, { newPath, links })
  })
}
