import type { SessionSummary, TranscriptTurn } from '../../../core/session/index.js'
import { count, localDateTime } from '../../../core/text/index.js'
import { markdownStream } from '../agent/markdown.js'
import { type Terminal, terminalText, visibleLine } from '../terminal/terminal.js'
import { besideLabel, cutToWidth } from '../terminal/text-width.js'

/** A session as scripts get it. */
export function sessionData({ bytes: _, ...summary }: SessionSummary): Omit<SessionSummary, 'bytes'> {
  return summary
}

/** `$0.0123`, `$12.40`; a dash if unknown. */
export function money(cost: number | null): string {
  if (cost === null) return '–'
  return `$${cost > 0 && cost < 1 ? cost.toFixed(4) : cost.toFixed(2)}`
}

/** Two lines per session: its title, then its facts. */
export function sessionLines(summary: SessionSummary, { style, width }: Pick<Terminal, 'style' | 'width'>): string[] {
  const { id, title, updatedAt, turns, model, project, waiting, cost } = summary
  const about = [
    id,
    count(turns, 'turn'),
    visibleLine(model),
    ...(project === undefined ? [] : [visibleLine(project)]),
    ...(cost === null ? [] : [money(cost)]),
  ]
  const asks = waiting === 0 ? '' : ` ${style.warning(`· ${count(waiting, 'request')} waiting`)}`
  const date = style.faint(localDateTime(Date.parse(updatedAt)))
  return besideLabel(date, { labelWidth: 18, width }, (room) => [
    cutToWidth(visibleLine(title === '' ? 'Untitled' : title), room),
    `${style.faint(cutToWidth(about.join(' · '), room))}${asks}`,
  ])
}

/** A turn that is over, as a user reads it again. */
export function showTurn(turn: TranscriptTurn, { style, width }: Pick<Terminal, 'style' | 'width'>): string {
  const { number, asked, calls, answer, ending } = turn
  const rows = calls.map(({ title, outcome, ok, changeSet }) => {
    const mark = outcome === undefined ? '?' : ok ? '✓' : '✗'
    const undo = changeSet === undefined ? '' : ` (undo ${changeSet})`
    return style.faint(cutToWidth(`${mark} ${visibleLine(`${title}: ${outcome ?? 'unknown'}${undo}`)}`, width))
  })
  const end = ending === undefined ? [style.warning('Interrupted here.')] : []
  // Piped, it is the text as the model wrote it.
  const isScreen = Number.isFinite(width)
  const drawing = markdownStream({ style, width })
  const text = isScreen ? (drawing.push(answer.trim()) + drawing.end()).trimEnd() : terminalText(answer.trim())
  return [style.strong(`${number} › ${terminalText(asked)}`), ...rows, text, ...end]
    .filter((line) => line !== '')
    .join('\n')
}
