import type { MoveImpact } from '../../../core/vault-index/index.js'
import { type Style, visibleLine } from '../terminal/index.js'
import { count } from './quantities.js'

/** What a move means for the links of the vault, and which it cannot mend. */
export function showImpact(impact: MoveImpact, style: Style): string[] {
  const kinds = Object.entries(impact.byKind).map(([kind, number]) => `${number} ${kind}`)
  const lines = [
    impact.files === 1 ? '' : `  ${count(impact.files, 'file')} move`,
    impact.links === 0
      ? '  no links need mending'
      : `  ${count(impact.links, 'link')} mended in ${count(impact.notes, 'note')} (${kinds.join(', ')})`,
    impact.captured === 0 ? '' : `  ${count(impact.captured, 'link')} that led nowhere will lead here`,
    ...impact.canvases.map(
      ({ path, count: number }) =>
        `  ${style.warning('not mended')}: canvas ${visibleLine(path)} refers to it ${number === 1 ? 'once' : `${number} times`}`,
    ),
    ...impact.notUtf8.map((path) => `  ${style.warning('not mended')}: ${visibleLine(path)} is not valid UTF-8`),
    ...impact.unread.map(
      (path) => `  ${style.warning('not looked at')}: ${visibleLine(path)} cannot be read for links`,
    ),
    ...impact.outOfReach.map(
      ({ path, line, raw }) =>
        `  ${style.warning('not mended')}: ${visibleLine(`${path}:${line}`)} spells ${visibleLine(raw)} in a way that cannot be rewritten`,
    ),
  ]
  return lines.filter((line) => line !== '')
}
