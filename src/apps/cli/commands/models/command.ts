import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareModels: DeclareCommand = (program, run) => {
  program
    .command('models')
    .description('List the models you can use: what is configured, and what runs on this machine.')
    .option('--probe', 'also ask every provider you have a key for which models it serves')
    .addHelpText(
      'after',
      examples(
        ['notewright models', 'asks nobody but Ollama and LM Studio on this machine'],
        ['notewright models --probe --json', 'every model of every configured provider'],
      ),
    )
    .action((options) => run(async (to) => (await import('./models.js')).models(to, options)))
}
