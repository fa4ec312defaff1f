import { forPeople } from '../../../../core/text/index.js'
import { isUnfinished, type LoggedCall } from '../../../../core/tools/index.js'

import { cutPath, cutToWidth, padToWidth, type Style, textWidth, visibleLine } from '../../terminal/index.js'

/** A row for a call: time, tool, decision, rule, milliseconds, and what it was about; in two lines where it is narrow. */
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

/** What it was about and how it ended, together in the room there is; the end may take half of it and more. */
function whatHappened(call: LoggedCall, room: number): [subject: string, outcome: string] {
  const ended = call.error ? `${call.error.code}: ${forPeople(call.error.message)}` : (call.result ?? '')
  const outcome = visibleLine(isUnfinished(call) ? 'unfinished' : ended)
  const whole = visibleLine(subjectOf(call.arguments))
  const subject = cutPath(whole, Math.max(room >> 1, room - textWidth(outcome) - 3))
  return [subject, cutToWidth(outcome, subject === '' ? room : room - textWidth(subject) - 3)]
}

/** The argument that says best what a call is about: usually a path or a query. */
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
