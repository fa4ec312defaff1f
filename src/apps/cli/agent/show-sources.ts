import type { Citation } from '../../../core/agent/index.js'
import { cutToWidth, type Style, textWidth, visibleLine } from '../terminal/index.js'

/** The places an answer names, each once, with what checking them has shown. */
export function showSources(citations: readonly Citation[], style: Style, width: number): string {
  const rows = new Map<string, string>()
  for (const citation of citations) {
    const place = placeOf(citation)
    const key = `${place} ${citation.check}`
    if (!rows.has(key)) rows.set(key, row(citation, place, style, width))
  }
  return rows.size === 0 ? '' : [style.strong('Sources'), ...rows.values()].join('\n')
}

function row({ check, quote, raw }: Citation, place: string, style: Style, width: number): string {
  const said = quote === undefined ? '' : `“${visibleLine(quote)}”`
  const [mark, words] = {
    verbatim: [style.good('✓'), said],
    differs: [style.warning('≠'), `not in the note: ${said}`],
    unquoted: [style.faint('·'), ''],
    missing: [style.bad('✗'), place === '' ? 'no such note' : 'no such section'],
  }[check]
  const name = cutToWidth(place === '' ? visibleLine(raw) : place, width - 4)
  const room = width - textWidth(name) - 6
  const behind = room < 12 ? '' : cutToWidth(words, room)
  return `  ${mark} ${style.path(name)}${behind === '' ? '' : `  ${style.faint(behind)}`}`
}

/** `Garden/Tomatoes.md:3-5`; '' when no such note exists. */
function placeOf({ path, lines, raw, check }: Citation): string {
  if (path === undefined) return ''
  if (check === 'missing') return visibleLine(raw)
  if (lines === undefined) return visibleLine(path)
  const [first, last] = lines
  return visibleLine(`${path}:${first === last ? first : `${first}-${last}`}`)
}
