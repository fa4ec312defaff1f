import { Findings } from '../scan/findings.js'
import { scanInline } from '../scan/scan-inline.js'
import type { NoteLink, Span } from '../scanned-note.js'
import type { YamlString } from './yaml-value.js'

/** Wikilinks and Markdown links inside the strings of the frontmatter, in order. */
export function frontmatterLinks(text: string, strings: YamlString[], lineOf: (offset: number) => number): NoteLink[] {
  const links: NoteLink[] = []
  for (const string of strings) {
    if (!string.value.includes('[[') && !string.value.includes('](')) continue
    const found = placedLinks(text, string)
    for (const link of found) {
      if (link.syntax === 'autolink') continue
      const kind = link.kind === 'external' ? 'external' : 'frontmatter'
      links.push({ ...link, kind, line: lineOf(link.start), property: string.property })
    }
  }
  return links
}

/** In a scalar with escapes or folds a link keeps its exact place only where the source spells it the same, once. */
function placedLinks(text: string, { value, start, end, isVerbatim }: YamlString): NoteLink[] {
  const findings = new Findings(value)
  findings.addLine(0)
  scanInline(findings, { start: 0, end: value.length, inTable: false })
  if (isVerbatim) return findings.links.map((link) => shifted(link, start))
  const source = text.slice(start, end)
  return findings.links.map((link) => {
    const at = source.indexOf(link.raw)
    const isExact = at >= 0 && source.indexOf(link.raw, at + 1) < 0
    if (isExact) return shifted(link, start + at - link.start)
    const { beforeQuery: _, ...unplaced } = link
    return { ...unplaced, start, end, targetSpan: { start, end: start } }
  })
}

function shifted(link: NoteLink, by: number): NoteLink {
  const moved = ({ start, end }: Span): Span => ({ start: start + by, end: end + by })
  const { beforeQuery, targetSpan } = link
  return {
    ...link,
    ...moved(link),
    targetSpan: moved(targetSpan),
    ...(beforeQuery && { beforeQuery: { ...beforeQuery, targetSpan: moved(beforeQuery.targetSpan) } }),
  }
}
