import type { AgentEvent } from '../../../core/agent/index.js'
import { forPeople } from '../../../core/text/index.js'
import { duration } from '../show/quantities.js'
import { switchedOff } from '../show/switched-off.js'
import { cutPath, cutToWidth, type Style, textWidth, visibleLine } from '../terminal/index.js'

export type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>
export type ResultEvent = Extract<AgentEvent, { type: 'tool-result' }>

/** Arguments that say what a call is about, the most telling first. */
const telling = ['query', 'path', 'from', 'url', 'tag', 'expression', 'folder']

/** "Searching notes: winter vegetables". */
export function callLabel({ activity, call }: Pick<CallEvent, 'activity' | 'call'>): string {
  const input = typeof call.input === 'object' && call.input !== null ? (call.input as Record<string, unknown>) : {}
  const about = telling.map((name) => input[name]).find((value) => typeof value === 'string' && value !== '')
  return visibleLine(about === undefined ? activity : `${activity}: ${about}`)
}

/** The row of a call that has ended: a mark, what it was, and in short what came of it. */
export function toolRow(
  label: string,
  { result, cached }: ResultEvent,
  ms: number,
  style: Style,
  width: number,
): string {
  const [mark, outcome] = result.ok
    ? [style.good('✓'), result.summary]
    : [isRefused(result.code) ? style.warning('–') : style.bad('✗'), whyNot(result)]
  const time = cached ? 'again' : duration(ms)
  const behind = cutToWidth(visibleLine(`${outcome}, ${time}`), Math.max(20, width - 24))
  const room = Math.max(16, width - textWidth(behind) - 5)
  return `${mark} ${cutPath(label, room)}  ${style.faint(behind)}`
}

/** For the person who looks on: what a model did wrong is not explained to them. */
function whyNot({ code, name, text }: Extract<ResultEvent['result'], { ok: false }>): string {
  if (code === 'unknown-tool') return switchedOff(name) ?? `the model asked for ${name}, which is not there`
  if (/^Tool \S+ validation failed/.test(text)) return 'the model called it wrongly'
  return firstSentence(forPeople(text))
}

export const isRefused = (code: string): boolean => code === 'denied' || code === 'needs-approval'

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replace(/[.]$/, '') ?? text
