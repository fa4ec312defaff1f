import type { Citation } from '../../../core/agent/index.js'
import { citationWords, citedPlace } from '../../../core/session/index.js'
import { cutPath, cutToWidth, padToWidth, type Style, textWidth, visibleLine } from '../terminal/index.js'

/** On a line without end the column is as on a wide screen. */
const widest = 120

/** The places an answer names, each once, with what checking them has shown. */
export function showSources(citations: readonly Citation[], style: Style, width: number): string {
  const places = new Map<string, { citation: Citation; name: string }>()
  for (const citation of citations) {
    const name = cutPath(visibleLine(citedPlace(citation)), width - 4)
    const key = `${name} ${citation.check}`
    if (!places.has(key)) places.set(key, { citation, name })
  }
  if (places.size === 0) return ''
  // Names of about the same length are set in a column; a very long one does not push the others aside.
  const widths = [...places.values()].map(({ name }) => textWidth(name))
  const column = Math.max(...widths.filter((one) => one <= Math.min(width, widest) / 2), 0)
  const rows = [...places.values()].map(({ citation, name }) => row(citation, padToWidth(name, column), style, width))
  return [style.strong('Sources'), ...rows].join('\n')
}

function row(citation: Citation, name: string, style: Style, width: number): string {
  const mark = {
    verbatim: style.good('✓'),
    differs: style.warning('≠'),
    unquoted: style.faint('·'),
    read: style.faint('·'),
    missing: style.bad('✗'),
  }[citation.check]
  const room = width - textWidth(name) - 6
  const behind = room < 12 ? '' : cutToWidth(visibleLine(citationWords(citation)), room)
  return behind === ''
    ? `  ${mark} ${style.path(name.trimEnd())}`
    : `  ${mark} ${style.path(name)}  ${style.faint(behind)}`
}
