import type { ScannedNote, Span } from './scanned-note.js'

/** A label that ties two places of a note together: `[^1]` and its text, or `[docs]` and its address. */
interface Label extends Span {
  kind: 'footnote' | 'reference'
  /** As labels are compared: without case, blanks as one. */
  key: string
  /** As written. The span is that of this text. */
  name: string
  /** The lines that define it; absent where it is used. */
  definition?: Span
}

/** The footnotes and link references of a note: where they are defined, and where they are used. */
export function labelsIn(text: string, scan: Pick<ScannedNote, 'links' | 'regions'>): Label[] {
  const isText = textTest(scan)
  const references = scan.links.filter(({ syntax }) => syntax === 'definition')
  const defined = new Set(references.map(({ display = '' }) => keyOf(display)))
  const labels: Label[] = references.map(({ start, end, display = '' }) => ({
    kind: 'reference',
    key: keyOf(display),
    name: display,
    start: start + 1,
    end: start + 1 + display.length,
    definition: { start, end: lineEnd(text, end) },
  }))
  for (const match of text.matchAll(/\[(\^?)([^[\]\n]{1,999})\]/g)) {
    const [whole, caret = '', name = ''] = match
    const { index } = match
    if (text[index - 1] === '\\' || !isText(index)) continue
    const start = index + 1 + caret.length
    const span = { name, key: keyOf(name), start, end: start + name.length }
    const next = text[index + whole.length]
    if (caret !== '') {
      if (/\s/.test(name)) continue
      const lineStart = text.lastIndexOf('\n', index - 1) + 1
      const isDefinition = next === ':' && /^ {0,3}$/.test(text.slice(lineStart, index))
      const definition = isDefinition ? { start: lineStart, end: definitionEnd(text, index) } : undefined
      labels.push({ kind: 'footnote', ...span, ...(definition && { definition }) })
    } else if (defined.has(span.key) && !references.some((each) => each.start === index)) {
      const isLinkText = next === '(' || (next === '[' && text[index + whole.length + 1] !== ']')
      const isWikilink = text[index - 1] === '[' && next === ']'
      if (!isLinkText && !isWikilink) labels.push({ kind: 'reference', ...span })
    }
  }
  return labels.sort((a, b) => a.start - b.start)
}

const keyOf = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase()

/** Tests whether an offset is outside code, formulas and properties. */
function textTest({ regions }: Pick<ScannedNote, 'regions'>): (offset: number) => boolean {
  const other = regions.filter(({ kind }) => kind !== 'comment')
  return (offset) => !other.some(({ start, end }) => start <= offset && offset < end)
}

function lineEnd(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset)
  return lineFeed < 0 ? text.length : lineFeed + 1
}

/** A footnote's text continues on indented lines, also after blank ones. */
function definitionEnd(text: string, start: number): number {
  let end = lineEnd(text, start)
  for (let at = end; at < text.length; ) {
    const next = lineEnd(text, at)
    const line = text.slice(at, next)
    if (/^(?: {4}|\t)\s*\S/.test(line)) end = next
    else if (line.trim() !== '') break
    at = next
  }
  return end
}
