import { examples, wholeNumber } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareWeb: DeclareCommand = (program, run) => {
  program
    .command('web')
    .description('Open your notes, with chat, approvals and search, in the browser of this machine.')
    .option(
      '--port <number>',
      'the port to listen on; 0 for any that is free (default: the serve.port setting, or any if that is taken)',
      wholeNumber(0, 65_535),
    )
    .option('-m, --model <model>', 'who answers in new conversations, as provider/model, or offline')
    .option('--no-open', 'print the link, and open nothing')
    .addHelpText(
      'after',
      examples(
        ['notewright web'],
        ['notewright web --vault ~/Notes -m ollama/qwen3:8b'],
        ['notewright web --no-open --port 0 --json', 'the link as one line, for scripts'],
      ),
    )
    .action((options) => run(async (to) => (await import('./web.js')).web(to, options)))
}
