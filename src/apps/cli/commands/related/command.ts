import { examples, wholeNumber } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareRelated: DeclareCommand = (program, run) => {
  program
    .command('related')
    .description('Find notes that have to do with one and are not linked with it yet, and say why.')
    .argument('<note>', 'its path, with or without .md, or its name when only one note has it')
    .option('-n, --limit <count>', 'at most this many notes (default: 10)', wholeNumber(1, 100))
    .option('--include-linked', 'also notes that are linked with it')
    .addHelpText('after', examples(['notewright related "Garden plan"'], ['notewright related Tomatoes -n 5 --json']))
    .action((note: string, options) => run(async (to) => (await import('./related.js')).related(to, note, options)))
}
