import { Option } from 'commander'
import { agentOptions } from '../../program/agent-options.js'
import { collected, examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareAsk: DeclareCommand = (program, run) => {
  const ask = program
    .command('ask')
    .description('Ask your notes a question. Text piped in is taken along as context.')
    .argument('[question...]', 'what you want to know or have done')
    .option('--note <note>', 'the note you are looking at')
    .option(
      '--attach <file>',
      'a text, picture (PNG, JPEG, WebP, GIF) or PDF to take along; repeat for several',
      collected,
    )
    .addOption(
      new Option('--format <how>', 'text, one JSON object (as --json), or an event per line').choices([
        'text',
        'json',
        'stream-json',
      ]),
    )
    .option('-y, --yes', 'allow what would be asked; what a rule denies stays denied')
  agentOptions(ask)
    .addHelpText(
      'after',
      examples(
        ['notewright ask "what did we decide about the roof?"'],
        ['notewright ask "add milk to the shopping list" --yes'],
        ['notewright ask -m ollama/qwen3:8b --mode vault-qa "when to sow beans"'],
        ['notewright ask -r 2026-03-01-k3f9a2 "and the beans?"', 'one more turn of a session'],
        ['git log -5 | notewright ask "add this to today\'s note"'],
        ['notewright ask "what is new in this?" --attach ~/Downloads/minutes.txt'],
        ['notewright ask -m openai/gpt-5 "what plant is this?" --attach leaf.jpg'],
        ['notewright ask "list open questions" --format stream-json', 'every step as it happens'],
      ),
    )
    .action((words: string[], options) =>
      run(async (to) => (await import('./ask.js')).ask(to, words.join(' '), options)),
    )
}
