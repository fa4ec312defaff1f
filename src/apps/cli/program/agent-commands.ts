import { type Command, Option } from 'commander'
import { modes } from '../../../core/agent/index.js'
import { examples, wholeNumber } from './command-words.js'
import type { Run } from './program.js'
import { consentOptions } from './tool-commands.js'

export function addAgentCommands(program: Command, run: Run): void {
  const ask = program
    .command('ask')
    .description('Ask your notes a question. Text piped in is taken along as context.')
    .argument('[question...]', 'what you want to know or have done')
    .option('--note <note>', 'the note you are looking at')
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
        ['git log -5 | notewright ask "add this to today\'s note"'],
        ['notewright ask "list open questions" --format stream-json', 'every step as it happens'],
      ),
    )
    .action((words: string[], options) =>
      run(async (to) => (await import('../commands/ask/ask.js')).ask(to, words.join(' '), options)),
    )

  agentOptions(program.command('chat').description('Talk with your notes; the same as no command, with options.'))
    .addHelpText(
      'after',
      examples(
        ['notewright chat -m ollama/qwen3:8b'],
        ['notewright chat --consent edit', 'small changes pass unasked'],
      ),
    )
    .action((options) => run(async (to) => (await import('../commands/chat/chat.js')).chat(to, options)))
}

/** The options of everything that puts questions to a model. */
export function agentOptions(command: Command): Command {
  return consentOptions(
    command
      .option('-m, --model <model>', 'who answers, as provider/model, or offline (default: the model setting)')
      .addOption(new Option('--mode <mode>', 'how to go about it (default: agent)').choices(modes))
      .option('--dialect <name>', 'how the model calls tools: auto, native, sentinel or use-tool')
      .option('--max-steps <count>', 'at most so many replies of the model', wholeNumber(1, 50))
      .option('--no-stream', 'ask for each reply in one piece')
      .option('--no-tools', 'offer the model no tools')
      .option('--session <name>', 'the session it belongs to, so that undo can take it back with the rest'),
  )
}
