import { bytes, count, localDateTime } from '../../../core/text/index.js'
import type { LoggedCall } from '../../../core/tools/index.js'
import { isUnfinished } from '../../../core/tools/index.js'
import type { Egress, LogQuery } from '../../../hosts/node/call-log.js'
import { readEgress, readLog, verifyLog } from '../../../hosts/node/call-log.js'
import { vaultFolders } from '../../../hosts/node/state-folders.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { sinceTime, wholeNumber } from '../program/options.js'
import { locateVault, readSettings } from '../session/settings.js'
import type { Style, Terminal } from '../terminal/terminal.js'
import { jsonLine, visibleLine } from '../terminal/terminal.js'
import { cutPath, cutToWidth, padToWidth, textWidth } from '../terminal/text-width.js'

export const declareLog: DeclareCommand = (command, run) => {
  command
    .option('--tool <tool>', 'only calls of this tool')
    .option('--since <when>', 'only calls since then: 30m, 2h, 3d, 2026-01-31 or an ISO time')
    .option('--failed', 'only calls that failed, were denied or did not finish')
    .option('-n, --limit <count>', 'show at most this many (default: 20; all with --json)', wholeNumber(1, 1_000_000))
    .option('--follow', 'keep showing new calls until Ctrl-C')
    .option('--egress', 'show what was sent to models and websites instead')
    .option('--verify', 'check that the log is complete and readable instead')
    .addHelpText(
      'after',
      examples(
        ['notewright log --since 2h'],
        ['notewright log --tool edit_note --failed --json', 'one JSON object per line'],
        ['notewright log --egress --since 1d', 'recipients, sizes and notes'],
        ['notewright log --verify', 'exit code 1 if the log is damaged'],
      ),
    )
    .action((options) => run((to) => log(to, options)))
}

export interface LogOptions {
  tool?: string
  since?: string
  failed?: boolean
  limit?: number
  follow?: boolean
  verify?: boolean
  egress?: boolean
}

/** Calls shown by default. With --json there is no limit. */
const usualCalls = 20

/** Shows the tool calls of a vault, oldest first. */
export async function log(invocation: Invocation, options: LogOptions): Promise<void> {
  const { terminal, signal } = invocation
  const since = options.since === undefined ? undefined : sinceTime(options.since, new Date())
  const setting = await readSettings(invocation)
  const { root } = await locateVault(invocation, setting)
  const folder = vaultFolders(setting.folders, root).journal
  if (options.verify) return verify(invocation, folder)
  if (options.egress) return showEgress(invocation, { folder, since, limit: options.limit })

  const limit = options.limit ?? (terminal.json ? Number.POSITIVE_INFINITY : usualCalls)
  const { tool, failed, follow } = options
  let damaged = 0
  const onDamaged = (rows: number) => (damaged = rows)
  const onTrouble = (text: string) => terminal.say(visibleLine(text))
  const question: LogQuery = { folder, tool, since, failed, follow, signal, onDamaged, onTrouble }
  const print = printer(terminal)
  if (follow) {
    for await (const call of readLog({ ...question, last: limit })) print(call)
    return
  }
  // Reads one more than is shown, to know whether there are more.
  const calls: LoggedCall[] = []
  for await (const call of readLog({ ...question, last: limit + 1 })) calls.push(call)
  for (const call of calls.slice(-limit)) print(call)
  if (calls.length > limit) terminal.say(`Showing the last ${limit} calls. Show more with -n ${limit * 10}.`)
  if (calls.length === 0 && !terminal.json) terminal.say(nothing(options))
  if (damaged > 0) terminal.say(`Skipped ${count(damaged, 'damaged row')}. To list them: notewright log --verify`)
}

function printer(terminal: Terminal): (call: LoggedCall) => void {
  let isFirst = true
  return (call) => {
    if (terminal.json) return terminal.print(jsonLine(call))
    if (isFirst) terminal.print(callHeading(terminal))
    isFirst = false
    terminal.print(showCall(call, terminal))
  }
}

async function verify({ terminal }: Invocation, folder: string): Promise<void> {
  const { isWhole, rows, erased, first, last, problems } = await verifyLog({ folder })
  if (!isWhole) process.exitCode = 1
  const checks = ['database integrity', 'readable rows']
  if (terminal.json)
    return terminal.printJson({ ok: isWhole, checks, hashChain: false, rows, erased, first, last, problems })
  const { style } = terminal
  for (const { row, text } of problems) {
    terminal.print(`${style.bad('✗')} ${row === undefined ? '' : `row ${row}  `}${visibleLine(text)}`)
  }
  if (isWhole) terminal.print(`${style.good('✓')} The database is intact. All ${count(rows, 'row')} can be read.`)
  if (erased > 0) terminal.print(style.faint(`The text of ${count(erased, 'row')} was deleted with the chats.`))
  if (first !== undefined && first > 1) terminal.print(style.faint(`Rows before ${first} were deleted to save space.`))
  terminal.print(
    style.faint('The log has no hash chain, so this check cannot detect rows that someone changed or removed.'),
  )
}

function nothing({ tool, since, failed }: LogOptions): string {
  const isFiltered = tool !== undefined || since !== undefined || failed
  return isFiltered ? 'No matching calls.' : 'No tool calls in this vault yet.'
}

/** A row for a call: time, tool, decision, rule, milliseconds, and subject; in two lines on narrow screens. */
export function showCall(call: LoggedCall, { style, width }: { style: Style; width: number }): string {
  const cells = [
    style.faint(second(call.timestamp)),
    column(call.tool_name, 21, width),
    painted(column(call.decision, 8, width), call, style),
    style.faint(column(call.rule, 16, width)),
    (call.duration_ms === undefined ? '' : `${Math.round(call.duration_ms)}`).padStart(6),
  ]
  const isNarrow = width < taken + 40
  const [subject, outcome] = whatHappened(call, isNarrow ? width - 2 : width - taken)
  const what = [subject, call.error === undefined ? outcome : style.bad(outcome)].filter(Boolean).join(' → ')
  return isNarrow ? `${cells.join('  ')}\n  ${what}` : [...cells, what].join('  ')
}

export function callHeading({ style }: { style: Style }): string {
  const names = ['time'.padEnd(19), 'tool'.padEnd(21), 'decision', 'rule'.padEnd(16), 'ms'.padStart(6), 'what']
  return style.faint(names.join('  '))
}

/** Columns before the last, with the space between them. */
const taken = 19 + 21 + 8 + 16 + 6 + 5 * 2

/** Cut to its column on a screen, and whole where lines have no end. */
function column(text: string, width: number, line: number): string {
  const whole = visibleLine(text)
  return padToWidth(Number.isFinite(line) ? cutToWidth(whole, width) : whole, width)
}

function painted(text: string, { decision }: LoggedCall, style: Style): string {
  return decision === 'denied' || decision === 'refused' ? style.warning(text) : text
}

/** Subject and outcome of the call on one line; the outcome may take half of the width or more. */
function whatHappened(call: LoggedCall, room: number): [subject: string, outcome: string] {
  const ended = call.error
    ? `${call.error.code}: ${call.rule === 'person' ? 'by you' : call.error.message}`
    : (call.result ?? '')
  const outcome = visibleLine(isUnfinished(call) ? 'unfinished' : ended)
  const whole = visibleLine(subjectOf(call.arguments))
  const subject = cutPath(whole, Math.max(room >> 1, room - textWidth(outcome) - 3))
  return [subject, cutToWidth(outcome, subject === '' ? room : room - textWidth(subject) - 3)]
}

/** The argument that best identifies a call: usually a path or a query. */
function subjectOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const given = input as Record<string, unknown>
  const names = ['path', 'query', 'filePaths', 'url', 'tags', 'expression', 'action', ...Object.keys(given)]
  for (const name of names) {
    const value = given[name]
    if (typeof value === 'string' && value !== '') return value
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  }
  return ''
}

/** Local time to the second: `2026-01-31 18:30:05`. */
function second(timestamp: string): string {
  const date = new Date(timestamp)
  if (Number.isNaN(date.getTime())) return column(timestamp, 19, 0)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

const usualRequests = 20

/** Shows outgoing requests, oldest first: a JSON line each with `--json`. */
export async function showEgress(
  { terminal }: Invocation,
  { folder, since, limit }: { folder: string; since?: Date | undefined; limit?: number | undefined },
): Promise<void> {
  const all = await readEgress({ folder, since })
  const most = limit ?? (terminal.json ? all.length : usualRequests)
  const shown = most === 0 ? [] : all.slice(-most)
  for (const egress of shown) terminal.print(terminal.json ? jsonLine(egress) : row(egress, terminal.width))
  if (terminal.json) return
  if (all.length === 0) terminal.say('Nothing from this vault was sent to models or websites.')
  else if (shown.length < all.length)
    terminal.say(`Showing the last ${count(shown.length, 'request')}. Show all with -n ${all.length}.`)
}

function row(egress: Egress, width: number): string {
  const who = 'tool' in egress ? egress.tool : `${egress.provider}/${egress.model}`
  const sent = 'notes' in egress ? [...egress.notes, ...(egress.files ?? [])] : []
  const notes = sent.length > 0 ? `  ${sent.join(', ')}` : ''
  const text = `${who}  ${bytes(egress.bytes)} to ${egress.destination}${notes}`
  return cutToWidth(`${localDateTime(Date.parse(egress.time))}  ${visibleLine(text)}`, width)
}
