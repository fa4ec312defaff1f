import { Failure } from '../../../core/errors.js'
import { count } from '../../../core/text/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { collected, wholeNumber } from '../program/options.js'
import { callForCommand } from '../session/call-tool.js'
import { withSession } from '../session/open-session.js'
import type { Terminal } from '../terminal/terminal.js'
import { visibleLine } from '../terminal/terminal.js'
import { cutToWidth, padToWidth, textWidth } from '../terminal/text-width.js'

export const declareQuery: DeclareCommand = (command, run) => {
  command
    .argument('[expression]', 'an expression of Obsidian Bases; leave it out for all notes')
    .option('--folder <folder>', 'only notes in this folder and below')
    .option('--tag <tag>', 'only notes with this tag; repeat for more, all must match', collected)
    .option('--select <property>', 'a property or expression to show; repeat for more', collected)
    .option('--sort <property>', 'sort by this, e.g. "due" or "file.mtime desc"; repeat for more', collected)
    .option('--base <file>', 'run a base instead: a .base file, or a note with a base block')
    .option('--view <name>', 'view of the base; default: the first')
    .option('-n, --limit <number>', 'rows to show, at most 500', wholeNumber(1, 500), 50)
    .option('--cursor <cursor>', 'continue after an earlier answer')
    .addHelpText(
      'after',
      examples(
        [`notewright query 'status == "open"' --select due --sort due`],
        ['notewright query --tag book --select rating --sort "rating desc"', 'notes with a tag'],
        ["notewright query 'file.backlinks.isEmpty()'", 'notes that nothing links to'],
        ['notewright query --base "Reading Circle/Books" --view "Long books"'],
      ),
    )
    .action((expression: string | undefined, options: QueryOptions) => run((to) => query(to, expression, options)))
}

interface QueryOptions {
  folder?: string
  tag?: string[]
  select?: string[]
  sort?: string[]
  base?: string
  view?: string
  limit: number
  cursor?: string
}

/** The output of `query_notes`, and of `query_base`, which has groups and summaries. */
interface Found {
  total: number
  columns: string[]
  notes?: Row[]
  rows?: Row[]
  summaries?: { property: string; summary: string; value: string }[]
  cursor?: string
  remarks?: string[]
}

interface Row {
  path: string
  values: unknown[]
  group?: string
}

async function query(invocation: Invocation, where: string | undefined, options: QueryOptions): Promise<void> {
  const { terminal, signal } = invocation
  const { base, view, limit, cursor, folder, tag: tags, select, sort } = options
  const ofNotes = [where, folder, tags, select, sort].some((option) => option !== undefined)
  if (base !== undefined && ofNotes) {
    throw new Failure(
      'invalid-input',
      'A base has its own filters and columns: use --base with --view, --limit and --cursor only.',
    )
  }
  const page = { limit, ...(cursor !== undefined && { cursor }) }
  const call =
    base === undefined
      ? { name: 'query_notes', input: { ...defined({ where, folder, tags, select, sort }), ...page } }
      : { name: 'query_base', input: { path: base, ...defined({ view }), ...page } }
  await withSession(invocation, {}, async (opened) => {
    const done = await callForCommand(opened, { ...call, needsApproval: 'Querying notes' }, signal)
    const found = done.output as Found
    if (terminal.json) return terminal.printJson(found)
    printRows(found, terminal)
  })
}

const defined = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

/** Columns on a screen, values between tabs in a pipe. The total and remarks are progress, not data. */
function printRows(
  { total, columns, notes, rows = notes ?? [], summaries = [], cursor, remarks = [] }: Found,
  terminal: Terminal,
): void {
  const cells = rows.map(({ path, values }) => [path, ...values].map(cell))
  const widths = columnWidths([['note', ...columns], ...cells], terminal)
  const line = (row: string[]): string =>
    terminal.isScreen
      ? row
          .map((text, at) => fitCell(text, widths[at] ?? 0))
          .join('  ')
          .trimEnd()
      : row.join('\t')
  if (terminal.isScreen && columns.length > 0 && rows.length > 0) {
    terminal.print(terminal.style.faint(line(['note', ...columns.map(cell)])))
  }
  let group: string | undefined
  rows.forEach((row, at) => {
    if (terminal.isScreen && row.group !== group)
      terminal.print(`\n${terminal.style.strong(visibleLine(row.group || 'No value'))}`)
    group = row.group
    terminal.print(line(cells[at] ?? []))
  })
  for (const { property, summary, value } of summaries) terminal.say(visibleLine(`${summary} of ${property}: ${value}`))
  for (const remark of remarks) terminal.say(visibleLine(remark))
  if (cursor !== undefined)
    terminal.say(`${rows.length} of ${count(total, 'note')}. For more, add --cursor '${visibleLine(cursor)}'.`)
  else terminal.say(total === 0 ? 'No note matches.' : `${count(total, 'note')}.`)
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.map(cell).join(', ')
  return visibleLine(value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? ''))
}

/** Every column as wide as its widest value, the paths at most half of the screen, the others at most 30. */
function columnWidths(rows: readonly string[][], { width }: Terminal): number[] {
  return (rows[0] ?? []).map((_, at) => {
    const widest = Math.max(...rows.map((row) => textWidth(row[at] ?? '')))
    return Math.min(widest, at === 0 ? Math.max(20, Math.floor(width / 2)) : 30)
  })
}

const fitCell = (text: string, width: number): string => padToWidth(cutToWidth(text, width), width)
