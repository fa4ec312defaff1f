import { impactLines } from '../../../core/session/index.js'
import type { MoveImpact } from '../../../core/vault-index/index.js'
import { type Style, visibleLine } from '../terminal/index.js'

/** What a move means for the links of the vault, and which it cannot mend. */
export function showImpact(impact: MoveImpact, style: Style): string[] {
  return impactLines(impact).map(({ warning, text }) => {
    const mark = warning === undefined ? '' : `${style.warning(warning)}${warning === '!' ? ' ' : ': '}`
    return `  ${mark}${visibleLine(text)}`
  })
}
