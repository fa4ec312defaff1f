import { type NoteLink, type Span, scanNote } from '../../../markdown/index.js'
import type { LinkReading } from '../../../vault/index.js'
import { linkAs } from '../resolved-links.js'

/** A link within the vault. `targetSpan` is absent where YAML folds or escapes it so that its place cannot be told. */
export type PlacedLink = Omit<NoteLink, 'targetSpan'> & { targetSpan?: Span }

/**
 * A note's links within the vault. The scanner places a property's link only where the source spells it once and
 * letter by letter; here those are found that YAML quotes (`''`, `\"`) or that stand twice in one string.
 */
export function noteLinks(text: string, reading: LinkReading): PlacedLink[] {
  const internal = scanNote(text).links.filter(({ kind }) => kind !== 'external')
  const links: PlacedLink[] = internal.map((link) => linkAs(reading, link))
  let scalar = -1
  let cursor = -1
  return links.map((link) => {
    if (link.kind !== 'frontmatter' || isPlaced(link)) return link
    if (link.start !== scalar) scalar = cursor = link.start
    const placed = findInScalar(text, link, cursor)
    if (placed === undefined) return { ...link, targetSpan: undefined }
    cursor = placed.end
    return placed
  })
}

function isPlaced({ target, targetSpan }: PlacedLink): boolean {
  return target === '' || (targetSpan !== undefined && targetSpan.end > targetSpan.start)
}

/** An unplaced link's own span is the whole scalar, between its quotes. */
function findInScalar(text: string, link: PlacedLink, from: number): PlacedLink | undefined {
  const quoted = (part: string): string => quoteForYaml(part, quoteAt(text, link.start - 1))
  const raw = quoted(link.raw)
  const start = text.indexOf(raw, from)
  const within = scanNote(link.raw).links[0]?.targetSpan
  if (start < 0 || start + raw.length > link.end || within === undefined) return undefined
  const targetStart = start + quoted(link.raw.slice(0, within.start)).length
  const targetEnd = start + quoted(link.raw.slice(0, within.end)).length
  return { ...link, start, end: start + raw.length, targetSpan: { start: targetStart, end: targetEnd } }
}

export type Quote = '"' | "'" | ''

export function quoteForYaml(text: string, quote: Quote): string {
  if (quote === "'") return text.replaceAll("'", "''")
  return quote === '"' ? text.replace(/["\\]/g, '\\$&') : text
}

function quoteAt(text: string, offset: number): Quote {
  const character = text[offset]
  return character === '"' || character === "'" ? character : ''
}
