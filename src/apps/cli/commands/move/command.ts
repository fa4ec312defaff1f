import { changeOptions } from '../../program/change-options.js'
import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareMove: DeclareCommand = (program, run) => {
  changeOptions(
    program
      .command('move')
      .description('Move or rename a note or a folder and mend every link to it.')
      .argument('<from>', 'the note or folder')
      .argument('<to>', 'its new path; a folder, written with / at the end, keeps the name')
      .option('--hidden-links', 'mend links in private and excluded notes too, which are only counted otherwise'),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright move Inbox/Plan.md Projects/Plan.md'],
        ['notewright move "Inbox/Old name" "Inbox/New name" --dry-run', 'only show what would happen'],
        ['notewright move Archive/ Attic/Archive/ --yes --json', 'a whole folder, in a script'],
      ),
    )
    .action((from: string, to: string, options) =>
      run(async (invocation) => (await import('./move.js')).move(invocation, from, to, options)),
    )
}
