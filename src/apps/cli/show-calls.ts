import type { LoggedCall } from '../../core/tools/index.js'
import { isUnfinished } from '../../hosts/node/call-log/index.js'
import { cutToWidth, padToWidth, type Style, visibleLine } from './terminal/index.js'

/** One line for a call: time, tool, decision, rule, milliseconds, and what it was about. */
export function showCall(call: LoggedCall, { style, width }: { style: Style; width: number }): string {
  const cells = [
    style.faint(second(call.timestamp)),
    column(call.tool_name, 20),
    painted(column(call.decision, 8), call, style),
    style.faint(column(call.rule, 16)),
    (call.duration_ms === undefined ? '' : `${Math.round(call.duration_ms)}`).padStart(6),
  ]
  const room = Math.max(24, width - taken)
  const what = cutToWidth(visibleLine(whatHappened(call)), room)
  return [...cells, call.error === undefined ? what : style.bad(what)].join('  ')
}

export function callHeading({ style }: { style: Style }): string {
  const names = ['time'.padEnd(19), 'tool'.padEnd(20), 'decision', 'rule'.padEnd(16), 'ms'.padStart(6), 'what']
  return style.faint(names.join('  '))
}

/** Columns before the last, with the space between them. */
const taken = 19 + 20 + 8 + 16 + 6 + 5 * 2

function column(text: string, width: number): string {
  return padToWidth(cutToWidth(visibleLine(text), width), width)
}

function painted(text: string, { decision }: LoggedCall, style: Style): string {
  return decision === 'denied' || decision === 'refused' ? style.warning(text) : text
}

function whatHappened(call: LoggedCall): string {
  const outcome = call.error ? `${call.error.code}: ${call.error.message}` : (call.result ?? '')
  const subject = subjectOf(call.arguments)
  return [subject, isUnfinished(call) ? 'unfinished' : outcome].filter((text) => text !== '').join(' → ')
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
  if (Number.isNaN(date.getTime())) return column(timestamp, 19)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
