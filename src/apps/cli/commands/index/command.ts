import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareIndex: DeclareCommand = (program, run) => {
  program
    .command('index')
    .description('Bring the index up to date: read what is new or changed, forget what is gone.')
    .option('--no-vectors', 'leave out the semantic vectors; search by words and links are ready sooner')
    .option('--anew', 'throw the index away first, and make it again from the notes')
    .addHelpText(
      'after',
      examples(
        ['notewright index'],
        ['notewright index --vault ~/Notes --json', 'counts and skipped files, for scripts'],
      ),
    )
    .action((options) => run(async (to) => (await import('./index-vault.js')).indexVault(to, options)))
}
