import type { SessionSummary } from '../../../core/session/index.js'
import { cutToWidth, padToWidth, type Terminal, visibleLine } from '../terminal/index.js'
import { count, moment } from './quantities.js'

/** A session as scripts get it. */
export function sessionData({ bytes: _, ...summary }: SessionSummary): Omit<SessionSummary, 'bytes'> {
  return summary
}

/** `$0.0123`, `$12.40`; a dash where nobody knows. */
export function money(cost: number | null): string {
  if (cost === null) return '–'
  return `$${cost > 0 && cost < 1 ? cost.toFixed(4) : cost.toFixed(2)}`
}

/** Two lines a session: its title, then what there is to know of it. */
export function sessionLines(summary: SessionSummary, { style, width }: Pick<Terminal, 'style' | 'width'>): string[] {
  const { id, title, updatedAt, turns, model, project, waiting, cost } = summary
  const about = [
    id,
    count(turns, 'turn'),
    visibleLine(model),
    ...(project === undefined ? [] : [visibleLine(project)]),
    ...(cost === null ? [] : [money(cost)]),
  ]
  const asks = waiting === 0 ? '' : ` ${style.warning(`· ${count(waiting, 'call')} waiting for you`)}`
  const name = cutToWidth(visibleLine(title === '' ? 'Untitled' : title), Math.max(20, width - 18))
  const facts = cutToWidth(about.join(' · '), Math.max(20, width - 18))
  return [`${style.faint(moment(Date.parse(updatedAt)))}  ${name}`, `${padToWidth('', 18)}${style.faint(facts)}${asks}`]
}
