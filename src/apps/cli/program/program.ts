import { Command, Option } from 'commander'
import { version } from '../../../hosts/node/version.js'
import { addAgentCommands } from './agent-commands.js'
import { collected, examples, unknownCommand, wholeNumber } from './command-words.js'
import type { Invocation, SharedOptions } from './invocation.js'
import { addModelCommands } from './model-commands.js'
import { addPermissionCommands } from './permission-commands.js'
import { addToolCommands } from './tool-commands.js'

export type Run = (act: (invocation: Invocation) => Promise<void>) => Promise<void>

/** Opens the terminal for the options given, then acts. */
export type Start = (options: SharedOptions, act: (invocation: Invocation) => Promise<void>) => Promise<void>

/** Every command with its options and examples. What a command does is loaded only when it is the one typed. */
export function createProgram(start: Start): Command {
  const program = new Command('notewright')
  const run = (act: (invocation: Invocation) => Promise<void>) => start(program.opts<SharedOptions>(), act)

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
    .action(async (_options, command: Command) => {
      if (command.args.length > 0) throw unknownCommand(command.args, program)
      await run(async (invocation) => (await import('../commands/chat/chat.js')).chat(invocation))
    })
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

  addAgentCommands(program, run)

  program
    .command('index')
    .description('Bring the index up to date: read what is new or changed, forget what is gone.')
    .option('--no-vectors', 'leave out the semantic vectors; search by words and links are ready sooner')
    .addHelpText(
      'after',
      examples(
        ['notewright index'],
        ['notewright index --vault ~/Notes --json', 'counts and skipped files, for scripts'],
      ),
    )
    .action((options) => run(async (to) => (await import('../commands/index/index-vault.js')).indexVault(to, options)))

  program
    .command('search')
    .description('Find notes by words and by meaning.')
    .argument('[query...]', 'what to look for; put a phrase in "quotes" inside the query')
    .option('-n, --limit <count>', 'at most this many hits (default: 10)', wholeNumber(1, 1000))
    .addOption(new Option('--rank <how>', 'how to rank (default: hybrid)').choices(['hybrid', 'lexical', 'semantic']))
    .option('--tag <tag>', 'only notes with this tag or one below it; repeat for several, all must match', collected)
    .option('--folder <folder>', 'only notes in this folder and below')
    .option('--after <date>', 'only notes from this day on, e.g. 2025-01-31')
    .option('--before <date>', 'only notes up to the end of this day')
    .addOption(
      new Option('--date-field <which>', 'the date that --after and --before look at')
        .choices(['modified', 'created', 'any'])
        .default('modified'),
    )
    .option('--passages', 'several passages of one note instead of its best')
    .option('--explain', 'show what each hit owes its score to')
    .option('--batch <file>', 'queries from JSON lines {id, query}, - for standard input; prints {id, hits} lines')
    .option('--timings', 'with --batch: add the milliseconds each query took')
    .addHelpText(
      'after',
      examples(
        ['notewright search tomato blight'],
        ['notewright search \'"exact phrase" and more\' -n 3'],
        ['notewright search budget --tag project/alpha --after 2025-01-01', 'filters combine'],
        ['notewright search --batch queries.jsonl > hits.jsonl'],
      ),
    )
    .action((words: string[], options) =>
      run(async (to) => (await import('../commands/search/search.js')).search(to, words.join(' '), options)),
    )

  program
    .command('links')
    .description('Show where a note leads and what leads to it, as Obsidian resolves links.')
    .argument('[note]', 'its path, with or without .md, or its name when only one note has it')
    .option('--unresolved', 'instead: every link in the vault that leads nowhere')
    .option('--orphans', 'instead: every note that no other note links to')
    .addHelpText('after', examples(['notewright links "Garden plan"'], ['notewright links --unresolved --json']))
    .action((note: string | undefined, options) =>
      run(async (to) => (await import('../commands/links/links.js')).links(to, note, options)),
    )

  program
    .command('move')
    .description('Move or rename a note or a folder and mend every link to it.')
    .argument('<from>', 'the note or folder')
    .argument('<to>', 'its new path; a folder, written with / at the end, keeps the name')
    .option('--dry-run', 'show what would happen and change nothing')
    .option('-y, --yes', 'do it without asking')
    .addHelpText(
      'after',
      examples(
        ['notewright move Inbox/Plan.md Projects/Plan.md'],
        ['notewright move "Inbox/Old name" "Inbox/New name" --dry-run', 'only show what would happen'],
        ['notewright move Archive/ Attic/Archive/ --yes --json', 'a whole folder, in a script'],
      ),
    )
    .action((from: string, to: string, options) =>
      run(async (invocation) => (await import('../commands/move/move.js')).move(invocation, from, to, options)),
    )

  program
    .command('undo')
    .description('Take a change back: the last one, or the one you name. It never discards later edits.')
    .argument('[id]', 'a change set, as `notewright history` names it')
    .option('--session <session>', 'take back everything one session did')
    .option('--note <note>', 'take back the last change to this note')
    .option('--dry-run', 'show what would happen and change nothing')
    .option('-y, --yes', 'do it without asking')
    .addHelpText('after', examples(['notewright undo'], ['notewright undo --note Projects/Plan.md --dry-run']))
    .action((id: string | undefined, options) =>
      run(async (to) => (await import('../commands/undo/undo.js')).undo(to, id, options)),
    )

  program
    .command('history')
    .description('List the changes Notewright made to this vault, newest first.')
    .option('-n, --limit <count>', 'at most this many', wholeNumber(1, 100_000), 20)
    .option('--session <session>', 'only those of one session')
    .option('--note <note>', 'only those that touched this note')
    .addHelpText('after', examples(['notewright history'], ['notewright history -n 5 --json']))
    .action((options) => run(async (to) => (await import('../commands/history/history.js')).history(to, options)))

  program
    .command('log')
    .description('Show the tool calls made in this vault, oldest first: what was asked, decided and done.')
    .option('--tool <name>', 'only calls of this tool')
    .option('--since <when>', 'only calls since then: 30m, 2h, 3d, 2026-01-31 or an ISO time')
    .option('--failed', 'only calls that failed, were refused or never ended')
    .option(
      '-n, --limit <count>',
      'at most this many, the newest (default: 20; all with --json)',
      wholeNumber(1, 1_000_000),
    )
    .option('--follow', 'go on with calls as they end, until Ctrl-C')
    .option('--verify', 'instead: say whether the log is as it was written')
    .addHelpText(
      'after',
      examples(
        ['notewright log --since 2h'],
        ['notewright log --tool edit_note --failed --json', 'a JSON line for every call'],
        ['notewright log --verify', 'exit code 1 when rows were changed or removed'],
      ),
    )
    .action((options) => run(async (to) => (await import('../commands/log/log.js')).log(to, options)))

  program
    .command('status')
    .description('Show the vault in use, what the index holds and how fresh it is.')
    .addHelpText('after', examples(['notewright status'], ['notewright status --json']))
    .action(() => run(async (to) => (await import('../commands/status/status.js')).status(to)))

  program
    .command('doctor')
    .description('Check everything Notewright stands on and say what to do about what is wrong.')
    .addHelpText('after', examples(['notewright doctor'], ['notewright doctor --vault ~/Notes --json']))
    .action(() => run(async (to) => (await import('../commands/doctor/doctor.js')).doctor(to)))

  const config = program
    .command('config')
    .description('Show and change settings.')
    .addHelpText('after', examples(['notewright config list'], ['notewright config set vault ~/Notes']))
    .action(async (_options, command: Command) => {
      if (command.args.length > 0) throw unknownCommand(command.args, command)
      await run(async (to) => (await import('../commands/config/config.js')).configList(to))
    })
  config
    .command('path')
    .description('Print where the configuration file is.')
    .addHelpText('after', examples(['notewright config path']))
    .action(() => run(async (to) => (await import('../commands/config/config.js')).configPath(to)))
  config
    .command('list')
    .description('Print every setting, its value and where it comes from.')
    .addHelpText('after', examples(['notewright config list'], ['notewright config list --json']))
    .action(() => run(async (to) => (await import('../commands/config/config.js')).configList(to)))
  config
    .command('get')
    .description('Print one setting.')
    .argument('<name>', 'e.g. search.limit')
    .addHelpText('after', examples(['notewright config get search.limit']))
    .action((name: string) => run(async (to) => (await import('../commands/config/config.js')).configGet(to, name)))
  config
    .command('set')
    .description('Change one setting in the configuration file.')
    .argument('<name>', 'e.g. search.limit')
    .argument('<value>', 'the new value; "" goes back to the default')
    .addHelpText(
      'after',
      examples(['notewright config set search.limit 20'], ['notewright config set exclude "Journal/, *.draft.md"']),
    )
    .action((name: string, value: string) =>
      run(async (to) => (await import('../commands/config/config.js')).configSet(to, name, value)),
    )

  addModelCommands(program, run)
  addToolCommands(program, run)
  addPermissionCommands(program, run)

  const dialect = program
    .command('dialect')
    .description(
      'How models write tool calls in text. Without a subcommand: the names of the dialects that can be read.',
    )
    .addHelpText('after', examples(['notewright dialect'], ['notewright dialect parse --tools tools.json < reply.txt']))
    .action(async (_options, command: Command) => {
      if (command.args.length > 0) throw unknownCommand(command.args, command)
      await run(async (to) => (await import('../commands/dialect/dialect-parse.js')).dialectList(to))
    })
  dialect
    .command('parse')
    .description("Read a model's reply from standard input and print its text, reasoning, calls and errors as JSON.")
    .option('--tools <file>', 'the tools that may be called: a JSON array of {name, parameters}')
    .option('--format <dialect>', 'read this dialect alone, bare forms included', 'any')
    .option('--starts-in-reasoning', 'the prompt has already opened the think block')
    .option('--chunk <count>', 'feed the reply in pieces of this many characters', wholeNumber(1, 1_000_000))
    .option(
      '--batch <file>',
      'replies from JSON lines {id, text, tools, format?, starts_in_reasoning?}, - for standard input',
    )
    .addHelpText(
      'after',
      examples(
        ['notewright dialect parse --tools tools.json < reply.txt', 'what would be called'],
        ['notewright dialect parse --tools tools.json --format llama3_json --chunk 1 < reply.txt'],
        ['notewright dialect parse --batch replies.jsonl', 'one result a line, with its id'],
      ),
    )
    .action((options) =>
      run(async (to) => (await import('../commands/dialect/dialect-parse.js')).dialectParse(to, options)),
    )

  // Commands inherit this when they are made, so it is said last: only these look at surplus words themselves.
  program.allowExcessArguments()
  config.allowExcessArguments()
  dialect.allowExcessArguments()
  return program
}
