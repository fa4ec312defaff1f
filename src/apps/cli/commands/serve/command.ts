import { collected, examples, listed, wholeNumber } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareServe: DeclareCommand = (program, run) => {
  program
    .command('serve')
    .description("Serve your notes, and tool calling for any model, to clients of OpenAI's API on this machine.")
    .option(
      '--port <number>',
      'the port to listen on; 0 for any that is free (default: the serve.port setting)',
      wholeNumber(0, 65_535),
    )
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option('--allow-remote', 'let other machines in; needs a token that you have set (serve.token)')
    .option('--backend <model>', 'the model behind it, as provider/model (default: the model setting)')
    .option('--dialect <name>', 'how that model calls tools: auto, native, sentinel or use-tool')
    .option('--codex-tools <names>', 'tools of its own that Codex may use: shell, web, image, agents, mcp', listed)
    .option(
      '--allow <rule>',
      'what clients may have done to your notes, e.g. "append_note(Inbox/**)"; repeat for several',
      collected,
    )
    .option('--show-token', 'print the token that clients must send, and end')
    .option('--new-token', 'make a new token in place of the old one, print it, and end')
    .addHelpText(
      'after',
      examples(
        ['notewright serve', 'then point a client at http://127.0.0.1:8427/v1'],
        ['notewright serve --backend ollama/qwen3:8b --dialect sentinel'],
        ['notewright serve --show-token', 'what clients send as their API key'],
        ['notewright serve --port 0 --json', 'address and token as one line, for scripts'],
      ),
    )
    .action((options) => run(async (to) => (await import('./serve.js')).serve(to, options)))
}
