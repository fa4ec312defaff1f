import { Option } from 'commander'
import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'
import { clientNames } from './client-names.js'

export const declareInit: DeclareCommand = (program, run) => {
  program
    .command('init')
    .description(
      "Set up an MCP client (Claude, Cursor, VS Code, Codex, opencode) to use your notes.\nShows what it would put into the client's own file; --write puts it there and keeps a copy of the file as it was.",
    )
    .addOption(new Option('--client <name>', 'the client; without it, lists those that are found').choices(clientNames))
    .option('--write', 'write the file; everything else in it stays as it is')
    .option('--remove', 'take it out again')
    .option('--read-only', 'the client may read notes and change nothing')
    .addHelpText(
      'after',
      examples(
        ['notewright init', 'which clients are there'],
        ['notewright init --client claude-code', 'show what would be written'],
        ['notewright init --client claude-code --write'],
        ['notewright init --client codex --vault ~/Notes --write'],
        ['notewright init --client cursor --remove --write'],
      ),
    )
    .action((options) => run(async (to) => (await import('./init.js')).init(to, options)))
}
