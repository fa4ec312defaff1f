import { Option } from 'commander'
import { examples } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareStats: DeclareCommand = (program, run) => {
  program
    .command('stats')
    .description('Show what models were used for in this vault: turns, tokens and what they cost.')
    .option('--since <when>', 'only since then: 30m, 2h, 3d, 2026-01-31 or an ISO time')
    .addOption(
      new Option('--by <what>', 'what is summed up').choices(['model', 'day', 'session', 'project']).default('model'),
    )
    .addHelpText('after', examples(['notewright stats'], ['notewright stats --since 30d --by day --json']))
    .action((options) => run(async (to) => (await import('./stats.js')).stats(to, options)))
}
