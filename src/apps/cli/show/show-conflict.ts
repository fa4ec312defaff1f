import type { UndoConflict } from '../../../core/vault/index.js'
import { type Terminal, visibleLine } from '../terminal/index.js'
import { count } from './quantities.js'

const linesPerSide = 12

/** What is there now and what was there before, for a person to choose from. */
export function showConflict(conflict: UndoConflict, { style }: Pick<Terminal, 'style'>): string {
  const { path, line, why, scope, mine, earlier } = conflict
  const where = scope === 'lines' ? `${visibleLine(path)}, line ${line}` : visibleLine(path)
  return [
    `${style.strong(where)} ${why}`,
    style.faint('  now:'),
    ...side('-', mine, style.removed, style.faint),
    style.faint('  before the change:'),
    ...side('+', earlier, style.added, style.faint),
  ].join('\n')
}

function side(
  mark: string,
  lines: string[],
  paint: (text: string) => string,
  faint: (text: string) => string,
): string[] {
  if (lines.length === 0) return [faint('  (nothing)')]
  const shown = lines.slice(0, linesPerSide).map((line) => paint(`  ${mark}${visibleLine(line.replace(/\r?\n$/, ''))}`))
  return lines.length > linesPerSide
    ? [...shown, faint(`  … ${count(lines.length - linesPerSide, 'more line')}`)]
    : shown
}

/** What the person's answer chooses; undefined when it is neither. */
export function settledBy(answer: string | undefined): 'keep-mine' | 'take-back' | undefined {
  if (/^\s*k(eep)?\s*$/i.test(answer ?? '')) return 'keep-mine'
  if (/^\s*t(ake)?\s*$/i.test(answer ?? '')) return 'take-back'
  return undefined
}

export const settleQuestion = 'Keep it as it is now, or take it back? [k/t]'
