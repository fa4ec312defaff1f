import { Command } from 'commander'
import { version } from '../../../hosts/node/version.js'
import { commands } from '../commands/command-list.js'
import { examples, whenAlone } from './command-words.js'
import type { Run, SharedOptions, Start } from './invocation.js'

/** Every command with its options and examples. What a command does is loaded only when it is the one typed. */
export function createProgram(start: Start): Command {
  const program = new Command('notewright')
  const vaults: string[] = []
  const run: Run = (act) => start({ ...program.opts<SharedOptions>(), ...(vaults.length > 1 && { vaults }) }, act)

  program
    .description(
      'Ask, search and safely change a folder of Markdown notes.\nWithout a command: a conversation with your notes.',
    )
    .version(version, '-V, --version', 'print the version')
    .option('--vault <folder>', 'the folder of notes (default: found by itself)')
    .option('--json', 'print data as JSON')
    .option('--no-color', 'print without colours')
    .option('--verbose', 'say on standard error what is being done')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      examples(
        ['notewright', 'talk with your notes'],
        ['notewright ask "what did we decide about the roof?"'],
        ['notewright search "winter vegetables"', 'find notes'],
        ['notewright move Inbox/Plan.md Projects/', 'move a note and mend every link to it'],
        ['notewright undo', 'take the last change back'],
      ),
    )

  program.on('option:vault', (folder: string) => vaults.push(folder))
  for (const declare of commands) declare(program, run)
  whenAlone(program, () => run(async (to) => (await import('../commands/chat/chat.js')).chat(to)))
  return program
}
