import { Option } from 'commander'
import { changeOptions } from '../../program/change-options.js'
import { examples, whenAlone, wholeNumber } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareSessions: DeclareCommand = (program, run) => {
  const sessions = program
    .command('sessions')
    .description('Show, find and keep in order the conversations with this vault.')
    .addHelpText(
      'after',
      examples(
        ['notewright sessions list'],
        ['notewright sessions search compost'],
        ['notewright chat -r 2026-03-01-k3f9a2'],
      ),
    )
  const id = 'its id, the beginning of it, or its title'
  const list = (command: typeof sessions) =>
    command.option('-n, --limit <count>', 'at most this many (default: 20; all with --json)', wholeNumber(1, 1_000_000))

  list(sessions.command('list').description('List the sessions of this vault, the newest first.'))
    .addHelpText('after', examples(['notewright sessions list'], ['notewright sessions list --json']))
    .action((options) => run(async (to) => (await import('./list.js')).sessionsList(to, options)))
  list(
    sessions
      .command('search')
      .description('Find sessions by words of their title, their requests and their answers.')
      .argument('<text...>', 'the words, as they stand there'),
  )
    .addHelpText('after', examples(['notewright sessions search "slow release"']))
    .action((words: string[], options) =>
      run(async (to) => (await import('./search-sessions.js')).sessionsSearch(to, words.join(' '), options)),
    )
  sessions
    .command('show')
    .description('Show a session: what was asked, done and answered. With --json, every event.')
    .argument('<id>', id)
    .addHelpText('after', examples(['notewright sessions show 2026-03-01-k3f9a2']))
    .action((name: string) => run(async (to) => (await import('./show.js')).sessionsShow(to, name)))
  sessions
    .command('rename')
    .description('Give a session another title.')
    .argument('<id>', id)
    .argument('<title...>', 'the title')
    .addHelpText('after', examples(['notewright sessions rename 2026-03-01-k3f9a2 "Soil for the new beds"']))
    .action((name: string, title: string[]) =>
      run(async (to) => (await import('./rename.js')).sessionsRename(to, name, title.join(' '))),
    )
  sessions
    .command('delete')
    .description('Delete a session. Nothing of it stays; changes it made to notes do, and can still be undone.')
    .argument('<id>', id)
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', examples(['notewright sessions delete 2026-03-01-k3f9a2 --yes']))
    .action((name: string, options) =>
      run(async (to) => (await import('./delete.js')).sessionsDelete(to, name, options)),
    )
  sessions
    .command('fork')
    .description('Make a new session that goes on from a turn of another.')
    .argument('<id>', id)
    .option('--at <turn>', 'the last turn to take along (default: all)', wholeNumber(0, 1_000_000))
    .addHelpText('after', examples(['notewright sessions fork 2026-03-01-k3f9a2 --at 3']))
    .action((name: string, options) => run(async (to) => (await import('./fork.js')).sessionsFork(to, name, options)))
  changeOptions(
    sessions
      .command('export')
      .description('Write a session as Markdown or JSON: to standard output, or as a note of the vault.')
      .argument('<id>', id)
      .addOption(new Option('--format <form>', 'how it is written').choices(['md', 'json']).default('md'))
      .option('--to <note>', 'the note to write it to; asks as every change does'),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright sessions export 2026-03-01-k3f9a2 > soil.md'],
        ['notewright sessions export 2026-03-01-k3f9a2 --to "Chats/Soil.md"'],
      ),
    )
    .action((name: string, options) =>
      run(async (to) => (await import('./export.js')).sessionsExport(to, name, options)),
    )
  whenAlone(sessions, () => run(async (to) => (await import('./list.js')).sessionsList(to, {})))
}
