import { examples, wholeNumber } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareLog: DeclareCommand = (program, run) => {
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
    .option('--egress', 'instead: what left this machine, to models and by tools, as it was written before it left')
    .option('--verify', 'instead: say whether the log is as it was written')
    .addHelpText(
      'after',
      examples(
        ['notewright log --since 2h'],
        ['notewright log --tool edit_note --failed --json', 'a JSON line for every call'],
        ['notewright log --egress --since 1d', 'to whom, how much, and of which notes'],
        ['notewright log --verify', 'exit code 1 when rows were changed or removed'],
      ),
    )
    .action((options) => run(async (to) => (await import('./log.js')).log(to, options)))
}
