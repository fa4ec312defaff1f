import type { YamlString } from './frontmatter/plain-yaml.js'
import { readFrontmatterStrings } from './frontmatter/read-frontmatter.js'
import { Findings } from './scan/findings.js'
import { scanBlocks } from './scan/scan-blocks.js'
import { scanInline } from './scan/scan-inline.js'
import type { Frontmatter, NoteLink, ScannedNote, Span, Tag } from './scanned-note.js'

/** Reads a note's structure in one pass, in linear time. Never throws. */
export function scanNote(text: string): ScannedNote {
  const findings = new Findings(text)
  const frontmatter = takeFrontmatter(findings)
  const bodyStart = frontmatter?.end ?? (text.charCodeAt(0) === 0xfeff ? 1 : 0)
  scanBlocks(findings, bodyStart)
  return {
    frontmatter,
    headings: findings.headings,
    links: inOrder(findings.links),
    tags: findings.tags,
    blocks: findings.blocks,
    tasks: findings.tasks,
    regions: inOrder(findings.regions),
    lineStarts: findings.lineStarts(),
  }
}

function takeFrontmatter(findings: Findings): Frontmatter | undefined {
  const { text } = findings
  const reading = readFrontmatterStrings(text)
  if (reading === undefined) return undefined
  const { frontmatter, strings } = reading
  for (let line = 0; line < frontmatter.end; ) {
    findings.addLine(line)
    const lineFeed = text.indexOf('\n', line)
    line = lineFeed < 0 ? text.length : lineFeed + 1
  }
  const lineOf = (offset: number) => findings.lineOf(offset)
  findings.addRegion('frontmatter', frontmatter.start, frontmatter.end)
  findings.links.push(...frontmatterLinks(text, strings, lineOf))
  findings.tags.push(...frontmatterTags(strings, lineOf))
  return frontmatter
}

/** Sorts by start: an outer link is found after the one inside it, and a comment after its content. */
function inOrder<T extends { start: number }>(spans: T[]): T[] {
  for (let index = 1; index < spans.length; index++) {
    if (startOf(spans[index]) < startOf(spans[index - 1])) return spans.sort((one, other) => one.start - other.start)
  }
  return spans
}

const startOf = (span: { start: number } | undefined): number => span?.start ?? 0

/** Wikilinks and Markdown links inside the strings of the frontmatter, in order. */
function frontmatterLinks(text: string, strings: YamlString[], lineOf: (offset: number) => number): NoteLink[] {
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

/** In a scalar with escapes or folds, a link has an exact span only if the source contains it literally, once. */
function placedLinks(text: string, { value, start, end, isVerbatim }: YamlString): NoteLink[] {
  const findings = new Findings(value)
  findings.addLine(0)
  scanInline(findings, { start: 0, end: value.length, inTable: false })
  if (isVerbatim) return findings.links.map((link) => shiftedLink(link, start))
  const source = text.slice(start, end)
  return findings.links.map((link) => {
    const at = source.indexOf(link.raw)
    const isExact = at >= 0 && source.indexOf(link.raw, at + 1) < 0
    if (isExact) return shiftedLink(link, start + at - link.start)
    const { beforeQuery: _, subpathSpan: __, ...unplaced } = link
    return { ...unplaced, start, end, targetSpan: { start, end: start } }
  })
}

function shiftedLink(link: NoteLink, by: number): NoteLink {
  const moved = ({ start, end }: Span): Span => ({ start: start + by, end: end + by })
  const { beforeQuery, targetSpan, subpathSpan } = link
  return {
    ...link,
    ...moved(link),
    targetSpan: moved(targetSpan),
    ...(subpathSpan && { subpathSpan: moved(subpathSpan) }),
    ...(beforeQuery && { beforeQuery: { ...beforeQuery, targetSpan: moved(beforeQuery.targetSpan) } }),
  }
}

/** Tags of the `tags` and `tag` properties: a list, or one string separated by commas or spaces. */
function frontmatterTags(strings: YamlString[], lineOf: (offset: number) => number): Tag[] {
  const tags: Tag[] = []
  for (const { property, value, start, end, isVerbatim } of strings) {
    const key = property.toLowerCase()
    if (key !== 'tags' && key !== 'tag') continue
    for (const match of value.matchAll(/[^\s,]+/g)) {
      const name = withoutSlashes(match[0].replace(/^#+/, ''))
      if (name === '' || /^\d+$/.test(name)) continue
      const at = start + match.index
      const span = isVerbatim ? { start: at, end: at + match[0].length } : { start, end }
      tags.push({ name, from: 'frontmatter', line: lineOf(span.start), ...span })
    }
  }
  return tags
}

function withoutSlashes(name: string): string {
  let end = name.length
  while (end > 0 && name[end - 1] === '/') end--
  return name.slice(0, end)
}
