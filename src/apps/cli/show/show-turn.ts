import type { ToldTurn } from '../../../core/session/index.js'
import { cutToWidth, type Terminal, visibleLine, visibleText } from '../terminal/index.js'

/** A turn that is over, as a person reads it again. */
export function showTurn(turn: ToldTurn, { style, width }: Pick<Terminal, 'style' | 'width'>): string {
  const { number, asked, calls, answer, ending } = turn
  const rows = calls.map(({ title, outcome, ok, changeSet }) => {
    const mark = outcome === undefined ? '?' : ok ? '✓' : '✗'
    const undo = changeSet === undefined ? '' : ` (undo ${changeSet})`
    return style.faint(cutToWidth(`${mark} ${visibleLine(`${title}: ${outcome ?? 'not known'}${undo}`)}`, width))
  })
  const end = ending === undefined ? [style.warning('It broke off here.')] : []
  return [style.strong(`${number} › ${visibleText(asked)}`), ...rows, visibleText(answer.trim()), ...end]
    .filter((line) => line !== '')
    .join('\n')
}
