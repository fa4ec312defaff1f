import type { MoveImpact } from '../../../core/vault-index/index.js'
import { type Style, visibleLine } from '../terminal/index.js'
import { count } from './quantities.js'

/** What a move means for the links of the vault, and which it cannot mend. */
export function showImpact(impact: MoveImpact, style: Style): string[] {
  const { links, notes, canvases } = impact
  const kinds = Object.entries(impact.byKind).map(([kind, number]) => `${number} ${kind}`)
  const holders = [
    ...(notes > 0 ? [count(notes, 'note')] : []),
    ...(canvases.length > 0 ? [canvases.length === 1 ? '1 canvas' : `${canvases.length} canvases`] : []),
  ]
  const lines = [
    impact.files === 1 ? '' : `  ${count(impact.files, 'file')} move`,
    links === 0
      ? '  no links need mending'
      : `  ${count(links, 'link')} mended in ${holders.join(' and ')} (${kinds.join(', ')})`,
    impact.captured === 0 ? '' : `  ${count(impact.captured, 'link')} that led nowhere will lead here`,
    ...impact.notUtf8.map((path) => `  ${style.warning('not mended')}: ${visibleLine(path)} is not valid UTF-8`),
    ...impact.unread.map(
      (path) => `  ${style.warning('not looked at')}: ${visibleLine(path)} cannot be read for links`,
    ),
    ...impact.outOfReach.map(
      ({ path, line, raw }) =>
        `  ${style.warning('not mended')}: ${visibleLine(`${path}:${line}`)} spells ${visibleLine(raw)} in a way that cannot be rewritten`,
    ),
    ...showHidden(impact.hidden, style),
  ]
  return lines.filter((line) => line !== '')
}

/** Numbers alone: what is said here may be read over somebody's shoulder. */
function showHidden(hidden: MoveImpact['hidden'], style: Style): string[] {
  if (hidden === undefined) return []
  const { links, notes, rewritten, namesakes } = hidden
  const where = `${count(links, 'link')} in ${count(notes, 'private or excluded note')}`
  return [
    links === 0 ? '' : `  ${rewritten ? 'mended, as you said' : style.warning('not mended')}: ${where}`,
    namesakes === 0
      ? ''
      : `  ${style.warning('!')} ${count(namesakes, 'private or excluded note')} of that name already`,
  ]
}
