import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { type ChangeOptions, changeOptions } from '../program/options.js'
import { callForCommand, reportChange } from '../session/call-tool.js'
import { withSession } from '../session/open-session.js'

export const declareMerge: DeclareCommand = (command, run) => {
  changeOptions(
    command
      .argument('<notes...>', 'notes to merge, by path, name or alias; they go to the trash')
      .requiredOption('--into <note>', 'note that gets their text; created if missing')
      .option('--no-heading', 'a line between the texts instead of a heading for each'),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright merge "Roof ideas" "Roof offers" --into "Roof repair" --dry-run'],
        ['notewright merge Inbox/A.md Inbox/B.md --into "Projects/Both" --yes --json', 'in a script'],
      ),
    )
    .action((notes: string[], options: MergeOptions) => run((to) => merge(to, notes, options)))
}

interface MergeOptions extends ChangeOptions {
  into: string
  heading: boolean
}

async function merge(invocation: Invocation, from: string[], options: MergeOptions): Promise<void> {
  const { into, heading, yes, dryRun } = options
  await withSession(invocation, { yes, dryRun }, async (opened) => {
    const input = { from, into, ...(!heading && { heading }) }
    const call = { name: 'merge_notes', input, needsApproval: 'Merging notes' }
    const done = await callForCommand(opened, call, invocation.signal)
    const { merged, links, conflicts = [] } = done.output as { merged: string[]; links: number; conflicts?: string[] }
    reportChange(done, invocation, { merged, links, conflicts })
  })
}
