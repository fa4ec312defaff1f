import { frontmatterLinks } from './frontmatter/frontmatter-links.js'
import { frontmatterTags } from './frontmatter/frontmatter-tags.js'
import { readFrontmatterStrings } from './frontmatter/read-frontmatter.js'
import { Findings } from './scan/findings.js'
import { scanBlocks } from './scan/scan-blocks.js'
import type { Frontmatter, ScannedNote } from './scanned-note.js'

/** Reads a note's structure in one pass, in time that grows with its length alone. Never throws. */
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

/** An outer link is found after the one inside it, and a comment after what it holds. */
function inOrder<T extends { start: number }>(spans: T[]): T[] {
  for (let index = 1; index < spans.length; index++) {
    if (spans[index].start < spans[index - 1].start) return spans.sort((one, other) => one.start - other.start)
  }
  return spans
}
