import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareStatus: DeclareCommand = (program, run) => {
  program
    .command('status')
    .description('Show the vault in use, what the index holds and how fresh it is.')
    .addHelpText('after', examples(['notewright status'], ['notewright status --json']))
    .action(() => run(async (to) => (await import('./status.js')).status(to)))
}
