import { examples, wholeNumber } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareHistory: DeclareCommand = (program, run) => {
  program
    .command('history')
    .description('List the changes Notewright made to this vault, newest first.')
    .option('-n, --limit <count>', 'at most this many', wholeNumber(1, 100_000), 20)
    .option('--session <session>', 'only those of one session')
    .option('--note <note>', 'only those that touched this note')
    .addHelpText('after', examples(['notewright history'], ['notewright history -n 5 --json']))
    .action((options) => run(async (to) => (await import('./history.js')).history(to, options)))
}
