import { count } from '../text/index.js'
import type { MoveImpact } from '../vault-index/index.js'

/** One line about a move; `warning` is its first words where it is not as the person would wish. */
export interface ImpactLine {
  warning?: string
  text: string
}

/** What a move means for the links of the vault, and which it cannot mend. Names are not made visible here. */
export function impactLines(impact: MoveImpact): ImpactLine[] {
  const { links, notes, canvases } = impact
  const kinds = Object.entries(impact.byKind).map(([kind, number]) => `${number} ${kind}`)
  const holders = [
    ...(notes > 0 ? [count(notes, 'note')] : []),
    ...(canvases.length > 0 ? [canvases.length === 1 ? '1 canvas' : `${canvases.length} canvases`] : []),
  ]
  return [
    ...(impact.files === 1 ? [] : [{ text: `${count(impact.files, 'file')} move` }]),
    {
      text:
        links === 0
          ? 'no links need mending'
          : `${count(links, 'link')} mended in ${holders.join(' and ')} (${kinds.join(', ')})`,
    },
    ...(impact.captured === 0 ? [] : [{ text: `${count(impact.captured, 'link')} that led nowhere will lead here` }]),
    ...impact.notUtf8.map((path) => ({ warning: 'not mended', text: `${path} is not valid UTF-8` })),
    ...impact.unread.map((path) => ({ warning: 'not looked at', text: `${path} cannot be read for links` })),
    ...impact.outOfReach.map(({ path, line, raw }) => ({
      warning: 'not mended',
      text: `${path}:${line} spells ${raw} in a way that cannot be rewritten`,
    })),
    ...hiddenLines(impact.hidden),
  ]
}

/** Numbers alone: what is said here may be read over somebody's shoulder. */
function hiddenLines(hidden: MoveImpact['hidden']): ImpactLine[] {
  if (hidden === undefined) return []
  const { links, notes, rewritten, namesakes } = hidden
  const where = `${count(links, 'link')} in ${count(notes, 'private or excluded note')}`
  return [
    ...(links === 0
      ? []
      : [rewritten ? { text: `mended, as you said: ${where}` } : { warning: 'not mended', text: where }]),
    ...(namesakes === 0
      ? []
      : [{ warning: '!', text: `${count(namesakes, 'private or excluded note')} of that name already` }]),
  ]
}
