import type { Citation } from '../../../core/agent/index.js'
import { cutPath, cutToWidth, padToWidth, type Style, textWidth, visibleLine } from '../terminal/index.js'

/** On a line without end the column is as on a wide screen. */
const widest = 120

/** The places an answer names, each once, with what checking them has shown. */
export function showSources(citations: readonly Citation[], style: Style, width: number): string {
  const places = new Map<string, { citation: Citation; name: string }>()
  for (const citation of citations) {
    const name = cutPath(placeOf(citation) || visibleLine(citation.raw), width - 4)
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

function row({ check, quote, path }: Citation, name: string, style: Style, width: number): string {
  const said = quote === undefined ? '' : `“${visibleLine(quote)}”`
  const [mark, words] = {
    // The answer has just said it.
    verbatim: [style.good('✓'), ''],
    differs: [style.warning('≠'), `not in the note: ${said}`],
    unquoted: [style.faint('·'), ''],
    read: [style.faint('·'), 'read for this answer'],
    missing: [style.bad('✗'), path === undefined ? 'no such note' : 'no such section'],
  }[check]
  const room = width - textWidth(name) - 6
  const behind = room < 12 ? '' : cutToWidth(words, room)
  return behind === ''
    ? `  ${mark} ${style.path(name.trimEnd())}`
    : `  ${mark} ${style.path(name)}  ${style.faint(behind)}`
}

/** `Garden/Tomatoes.md:3-5`; '' when no such note exists. */
function placeOf({ path, lines, raw, check }: Citation): string {
  if (path === undefined) return ''
  if (check === 'missing') return visibleLine(raw)
  if (lines === undefined) return visibleLine(path)
  const [first, last] = lines
  return visibleLine(`${path}:${first === last ? first : `${first}-${last}`}`)
}
