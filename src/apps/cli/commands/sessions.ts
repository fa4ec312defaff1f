import type { Command } from 'commander'
import { Option } from 'commander'
import { Failure, failureFromData } from '../../../core/errors.js'
import {
  findSession,
  forkSession,
  type SessionStore,
  sessionAsMarkdown,
  titleFrom,
  transcriptOf,
} from '../../../core/session/index.js'
import { count } from '../../../core/text/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import {
  type ChangeOptions,
  changeOptions,
  noConfirmationOption,
  wholeNumber,
  withoutSubcommand,
} from '../program/options.js'
import { withSession } from '../session/open-session.js'
import { withSessions } from '../session/stored-sessions.js'
import { sessionData, sessionLines, showTurn } from '../show/sessions.js'
import { confirm, terminalText, visibleLine } from '../terminal/terminal.js'
import { besideLabel, cutToWidth } from '../terminal/text-width.js'

export const declareSessions: DeclareCommand = (command, run) => {
  command.addHelpText(
    'after',
    examples(
      ['notewright sessions list'],
      ['notewright sessions search compost'],
      ['notewright chat -r 2026-03-01-k3f9a2'],
    ),
  )
  const id = 'its id, the start of its id, or its title'
  const limited = (subcommand: Command) =>
    subcommand.option(
      '-n, --limit <count>',
      'show at most this many (default: 20; all with --json)',
      wholeNumber(1, 1_000_000),
    )

  limited(command.command('list').description('List the chats of this vault, newest first.'))
    .addHelpText('after', examples(['notewright sessions list'], ['notewright sessions list --json']))
    .action((options) => run((to) => sessionsList(to, options)))
  limited(
    command
      .command('search')
      .description('Search titles, questions and answers.')
      .argument('<text...>', 'exact text to find'),
  )
    .addHelpText('after', examples(['notewright sessions search "slow release"']))
    .action((words: string[], options) => run((to) => sessionsSearch(to, words.join(' '), options)))
  command
    .command('show')
    .description('Show a chat. With --json, every event of it.')
    .argument('<id>', id)
    .addHelpText('after', examples(['notewright sessions show 2026-03-01-k3f9a2']))
    .action((name: string) => run((to) => sessionsShow(to, name)))
  command
    .command('rename')
    .description('Rename a chat.')
    .argument('<id>', id)
    .argument('<title...>', 'new title')
    .addHelpText('after', examples(['notewright sessions rename 2026-03-01-k3f9a2 "Soil for the new beds"']))
    .action((name: string, title: string[]) => run((to) => sessionsRename(to, name, title.join(' '))))
  command
    .command('delete')
    .description('Delete a chat, permanently.\nChanges it made to notes are kept and can still be undone.')
    .argument('<id>', id)
    .addOption(noConfirmationOption())
    .addHelpText('after', examples(['notewright sessions delete 2026-03-01-k3f9a2 --yes']))
    .action((name: string, options) => run((to) => sessionsDelete(to, name, options)))
  command
    .command('fork')
    .description('Start a new chat from an earlier point of another.')
    .argument('<id>', id)
    .option('--at <turn>', 'last turn to keep (default: all)', wholeNumber(0, 1_000_000))
    .addHelpText('after', examples(['notewright sessions fork 2026-03-01-k3f9a2 --at 3']))
    .action((name: string, options) => run((to) => sessionsFork(to, name, options)))
  changeOptions(
    command
      .command('export')
      .description('Export a chat as Markdown or JSON, to standard output or a note.')
      .argument('<id>', id)
      .addOption(new Option('--format <form>', 'output format').choices(['md', 'json']).default('md'))
      .option('--to <note>', 'note to write to; needs approval like any change'),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright sessions export 2026-03-01-k3f9a2 > soil.md'],
        ['notewright sessions export 2026-03-01-k3f9a2 --to "Chats/Soil.md"'],
      ),
    )
    .action((name: string, options) => run((to) => sessionsExport(to, name, options)))
  withoutSubcommand(command, () => run((to) => sessionsList(to, {})))
}

const usualLimit = 20

export async function sessionsList(invocation: Invocation, { limit }: { limit?: number }): Promise<void> {
  const { terminal } = invocation
  await withSessions(invocation, async (store) => {
    const all = await store.list()
    const shown = all.slice(0, limit ?? (terminal.json ? all.length : usualLimit))
    if (terminal.json) return terminal.printJson({ sessions: shown.map(sessionData) })
    if (all.length === 0) return terminal.say('No chats in this vault yet. Start one: notewright chat')
    for (const session of shown) for (const line of sessionLines(session, terminal)) terminal.print(line)
    if (shown.length < all.length)
      terminal.say(`${all.length - shown.length} older chats. Show all with -n ${all.length}.`)
  })
}

export async function sessionsShow(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  await withSessions(invocation, async (store) => {
    const session = await findSession(store, name)
    const events = await store.read(session.id)
    if (terminal.json) return terminal.printJson({ ...sessionData(session), events })
    for (const line of sessionLines(session, terminal)) terminal.print(line)
    for (const turn of transcriptOf(events)) terminal.print(`\n${showTurn(turn, terminal)}`)
  })
}

const usualMatches = 20

export async function sessionsSearch(
  invocation: Invocation,
  words: string,
  { limit }: { limit?: number },
): Promise<void> {
  const { terminal } = invocation
  if (words.trim() === '')
    throw new Failure('invalid-input', 'No search text.', { hint: 'For example: notewright sessions search compost' })
  await withSessions(invocation, async (store) => {
    const found = await store.search(words.trim())
    const shown = found.slice(0, limit ?? (terminal.json ? found.length : usualMatches))
    const known = new Map((await store.list()).map((session) => [session.id, session]))
    if (terminal.json) {
      // `!`: only stored sessions are found.
      const sessions = shown.map(({ id, seq, passage }) => ({ ...sessionData(known.get(id)!), seq, passage }))
      return terminal.printJson({ sessions })
    }
    if (found.length === 0) return terminal.say(`No chats contain ${visibleLine(words)}.`)
    for (const { id, seq, passage } of shown) {
      // `!`: likewise.
      for (const line of sessionLines(known.get(id)!, terminal)) terminal.print(line)
      if (seq > 0)
        for (const row of besideLabel('', { labelWidth: 18, width: terminal.width }, (room) => [
          cutToWidth(visibleLine(passage), room),
        ])) {
          if (row !== '') terminal.print(row)
        }
    }
    if (shown.length < found.length)
      terminal.say(`${found.length - shown.length} more. Show all with -n ${found.length}.`)
  })
}

interface ExportOptions extends ChangeOptions {
  format: 'md' | 'json'
  to?: string
}

export async function sessionsExport(invocation: Invocation, name: string, options: ExportOptions): Promise<void> {
  const { terminal } = invocation
  const { to, format } = options
  if (to === undefined) {
    return withSessions(invocation, async (store) => {
      const text = (await exported(store, name, format)).trimEnd()
      terminal.print(terminal.isScreen ? terminalText(text) : text)
    })
  }
  if (format === 'json') {
    throw new Failure('invalid-input', 'A note can only be written as Markdown.', {
      hint: 'Remove --format json or --to.',
    })
  }
  await withSession(invocation, { yes: options.yes, dryRun: options.dryRun }, async ({ vault, session }) => {
    const content = await exported(vault.sessions, name, format)
    const path = /\.md$/i.test(to) ? to : `${to}.md`
    const result = await session.call({ name: 'write_note', input: { path, content } }, invocation.signal)
    if (!result.ok) throw failureFromData(result)
    if (terminal.json) return terminal.printJson({ path, changeSet: result.changeSet?.id ?? null })
    terminal.say(terminalText(result.text))
    if (result.changeSet) terminal.say(`To undo: notewright undo ${visibleLine(result.changeSet.id)}`)
  })
}

async function exported(store: SessionStore, name: string, format: 'md' | 'json'): Promise<string> {
  const session = await findSession(store, name)
  const events = await store.read(session.id)
  if (format === 'json') return JSON.stringify({ ...sessionData(session), events }, null, 2)
  return sessionAsMarkdown(session, transcriptOf(events))
}

export async function sessionsFork(invocation: Invocation, name: string, { at }: { at?: number }): Promise<void> {
  const { terminal } = invocation
  await withSessions(invocation, async (store) => {
    const fork = await forkSession(store, name, { at, now: new Date() })
    if (terminal.json) return terminal.printJson(fork)
    terminal.print(fork.id)
    terminal.say(`Continue it with: notewright chat -r ${fork.id}`)
  })
}

export async function sessionsRename(invocation: Invocation, name: string, wanted: string): Promise<void> {
  const { terminal } = invocation
  if (wanted.trim() === '') {
    throw new Failure('invalid-input', 'A title cannot be empty.', {
      hint: 'For example: notewright sessions rename 2026-03-01-k3f9a2 "Soil for the new beds"',
    })
  }
  await withSessions(invocation, async (store) => {
    const { id } = await findSession(store, name)
    const title = titleFrom(wanted)
    await store.rename(id, title, 'person')
    if (terminal.json) return terminal.printJson({ id, title })
    terminal.say(`Renamed ${id} to ${title}.`)
  })
}

export async function sessionsDelete(invocation: Invocation, name: string, { yes }: { yes?: boolean }): Promise<void> {
  const { terminal, signal } = invocation
  await withSessions(invocation, async (store) => {
    const { id, title, turns } = await findSession(store, name)
    if (!yes) {
      terminal.say(`${id}: ${visibleLine(title)}, ${count(turns, 'turn')}. This cannot be undone.`)
      await confirm(terminal, { text: 'Delete it?', needs: 'Deleting a chat needs your approval.', signal })
    }
    await store.remove(id)
    if (terminal.json) return terminal.printJson({ id, deleted: true })
    terminal.say('Deleted.')
  })
}
