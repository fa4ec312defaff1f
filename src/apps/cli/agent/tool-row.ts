import type { AgentEvent } from '../../../core/agent/index.js'
import { isRefused, callLabel as labelOf, whyNotDone } from '../../../core/session/index.js'
import { duration } from '../show/quantities.js'
import { switchedOff } from '../show/switched-off.js'
import { cutPath, cutToWidth, type Style, textWidth, visibleLine } from '../terminal/index.js'

export type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>
export type ResultEvent = Extract<AgentEvent, { type: 'tool-result' }>

/** "Searching notes: winter vegetables". */
export const callLabel = (event: Pick<CallEvent, 'activity' | 'call'>): string => visibleLine(labelOf(event))

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

function whyNot(result: Extract<ResultEvent['result'], { ok: false }>): string {
  return (result.code === 'unknown-tool' ? switchedOff(result.name) : undefined) ?? whyNotDone(result)
}
