import { agentOptions } from '../../program/agent-options.js'
import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareChat: DeclareCommand = (program, run) => {
  const chat = program
    .command('chat')
    .description('Talk with your notes; the same as no command, with options.')
    .option('-c, --continue', 'go on with the last session')
  agentOptions(chat)
    .addHelpText(
      'after',
      examples(
        ['notewright chat -m ollama/qwen3:8b'],
        ['notewright chat --consent edit', 'small changes pass unasked'],
        ['notewright chat -c', 'where you were'],
      ),
    )
    .action((options) => run(async (to) => (await import('./chat.js')).chat(to, options)))
}
