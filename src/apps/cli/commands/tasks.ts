import { Failure } from '../../../core/errors.js'
import { count } from '../../../core/text/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { type ChangeOptions, changeOptions, collected, wholeNumber } from '../program/options.js'
import { callForCommand, reportChange } from '../session/call-tool.js'
import { withSession } from '../session/open-session.js'
import { type Terminal, visibleLine } from '../terminal/terminal.js'

export const declareTasks: DeclareCommand = (command, run) => {
  changeOptions(
    command
      .argument('[text]', 'only tasks with these words')
      .option('--state <state>', 'open, in-progress, done, cancelled or any; default: not finished')
      .option('--due <days>', 'a day, "today", "2025-01-01..2025-01-31", "..today" or "none"')
      .option('--scheduled <days>', 'the same for the scheduled date')
      .option('--start <days>', 'the same for the start date')
      .option('--done <days>', 'the same for the done date')
      .option('--priority <priority>', 'lowest, low, normal, medium, high or highest')
      .option('--tag <tag>', 'only tasks with this tag')
      .option('--heading <heading>', 'only tasks under this heading')
      .option('--lane <lane>', 'only cards in this lane of a Kanban board')
      .option('--folder <folder>', 'only tasks in this folder and below')
      .option('-n, --limit <number>', 'tasks to show, at most 500', wholeNumber(1, 500), 50)
      .option('--tick <id>', 'complete a task, "Note.md:12"; repeat for more', collected)
      .option('--reopen <id>', 'reopen a task; repeat for more', collected)
      .option('--cancel <id>', 'cancel a task; repeat for more', collected)
      .option('--reschedule <id>', 'set the due date of a task to --to; repeat for more', collected)
      .option('--to <day>', 'day for --reschedule; none removes the date')
      .option('--move <id>', 'move a card of a Kanban board to --to-lane; repeat for more', collected)
      .option('--to-lane <lane>', 'lane for --move'),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright tasks --due ..today', 'due today or overdue'],
        ['notewright tasks tomatoes --folder Garden'],
        ['notewright tasks --tick Garden/Tomatoes.md:12 --yes'],
        ['notewright tasks --reschedule Garden/Tomatoes.md:12 --to tomorrow'],
        ['notewright tasks --move Board.md:9 --to-lane Done', 'move a Kanban card'],
      ),
    )
    .action((text: string | undefined, options: TaskOptions) => run((to) => tasks(to, text, options)))
}

interface TaskOptions extends ChangeOptions {
  state?: string
  due?: string
  scheduled?: string
  start?: string
  done?: string
  priority?: string
  tag?: string
  heading?: string
  folder?: string
  limit: number
  tick?: string[]
  reopen?: string[]
  cancel?: string[]
  reschedule?: string[]
  to?: string
  lane?: string
  move?: string[]
  toLane?: string
}

/** The output of `list_tasks`. */
interface Listed {
  total: number
  tasks: { id: string; text: string; state: string; priority?: string; dates?: Record<string, string> }[]
  cursor?: string
}

async function tasks(invocation: Invocation, text: string | undefined, options: TaskOptions): Promise<void> {
  const { terminal, signal } = invocation
  const { tick, reopen, cancel, reschedule, to, move, toLane, yes, dryRun, ...filter } = options
  const changes = Object.entries({
    done: tick && { tasks: tick, state: 'done' },
    open: reopen && { tasks: reopen, state: 'open' },
    cancelled: cancel && { tasks: cancel, state: 'cancelled' },
    due: reschedule && { tasks: reschedule, due: to },
    lane: move && { tasks: move, lane: toLane },
  }).flatMap(([, input]) => (input === undefined ? [] : [input]))
  if (changes.length > 1) {
    throw new Failure('invalid-input', 'Choose one: --tick, --reopen, --cancel, --reschedule or --move.')
  }
  if ((reschedule === undefined) !== (to === undefined)) {
    throw new Failure('invalid-input', 'Use --reschedule together with --to.', { hint: 'For example: --to tomorrow' })
  }
  if ((move === undefined) !== (toLane === undefined)) {
    throw new Failure('invalid-input', 'Use --move together with --to-lane.', { hint: 'For example: --to-lane Done' })
  }
  await withSession(invocation, { yes, dryRun }, async (opened) => {
    const [input] = changes
    if (input !== undefined) {
      const call = { name: 'update_tasks', input, needsApproval: 'Updating tasks' }
      return reportChange(await callForCommand(opened, call, signal), invocation)
    }
    const wanted = Object.fromEntries(Object.entries({ text, ...filter }).filter(([, value]) => value !== undefined))
    const done = await callForCommand(
      opened,
      { name: 'list_tasks', input: wanted, needsApproval: 'Listing tasks' },
      signal,
    )
    const listed = done.output as Listed
    if (terminal.json) terminal.printJson(listed)
    else printTasks(listed, terminal)
  })
}

/** One line for each task; in a pipe id, state, text and dates between tabs. */
function printTasks({ total, tasks: listed }: Listed, terminal: Terminal): void {
  const { style, isScreen } = terminal
  for (const { id, text, state, priority, dates = {} } of listed) {
    const facts = [
      ...(priority === undefined ? [] : [`${priority} priority`]),
      ...Object.entries(dates).map(([name, date]) => `${name} ${date}`),
    ].join(', ')
    if (!isScreen) terminal.print([id, state, text, facts].map(visibleLine).join('\t'))
    else {
      const mark = { open: ' ', 'in-progress': '/', done: 'x', cancelled: '-' }[state] ?? ' '
      terminal.print(
        `[${mark}] ${visibleLine(text)}${facts === '' ? '' : `  ${style.strong(facts)}`}  ${style.faint(visibleLine(id))}`,
      )
    }
  }
  const more = total - listed.length
  if (total === 0) terminal.say('No tasks found.')
  else terminal.say(`${count(total, 'task')}${more > 0 ? `, ${listed.length} shown; use --limit for more` : ''}.`)
}
