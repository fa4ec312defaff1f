import { type Span, scanNote } from '../../markdown/index.js'

export interface NamedPlace {
  raw: string
  /** Path or name of the note, without subpath. */
  target: string
  /** `#heading` or `#^block`, without the `#`. */
  subpath?: string
  lines?: [number, number]
  quote?: string
}

/** The notes an answer names, in order, each with the quotation that belongs to it. Code is not looked at. */
export function findCitations(answer: string): NamedPlace[] {
  const places: NamedPlace[] = []
  let from = 0
  const quoted = quotations(answer)
  for (const link of scanNote(answer).links) {
    if (link.kind !== 'wikilink' && link.kind !== 'markdown' && link.kind !== 'embed') continue
    // A link that is part of what is quoted is the note's, not the answer's.
    if (quoted.some(({ start, end }) => link.start > start && link.end < end)) continue
    const between = answer.slice(from, link.start)
    from = link.end
    const after = /^\s*[,(]?\s*lines?\s+(\d+)(?:\s*[-–]\s*(\d+))?/i.exec(answer.slice(link.end, link.end + 40))
    const first = Number(after?.[1])
    places.push({
      raw: answer.slice(link.start, link.end),
      target: link.target,
      ...(link.subpath && { subpath: link.subpath.replace(/^#/, '') }),
      ...(after && { lines: [first, Number(after[2] ?? first)] }),
      ...quoteBefore(between),
    })
  }
  return places
}

const marked = /"([^"\n]{3,})"|“([^”\n]{3,})”|«([^»\n]{3,})»|„([^“”\n]{3,})[“”]/g

/** Where words are quoted: between marks, unless only a link is, and lines behind `>` up to a closing `— [[Note]]`. */
function quotations(answer: string): Span[] {
  const spans: Span[] = []
  for (const { 0: whole, index } of answer.matchAll(marked)) {
    if (!/^.\s*\[\[[^\]]*\]\]\s*.$/s.test(whole)) spans.push({ start: index, end: index + whole.length })
  }
  let start = 0
  for (const line of answer.split('\n')) {
    const source = /[—–(-]\s*\[\[[^\]\n]*\]\]\)?\s*$/.exec(line)
    if (/^\s*>/.test(line)) spans.push({ start: start - 1, end: start + (source?.index ?? line.length) + 1 })
    start += line.length + 1
  }
  return spans
}

/** The last quotation before the link: a block quote that ends here, or words in quotation marks in the same paragraph. */
function quoteBefore(text: string): { quote?: string } {
  const block = blockQuote(text.split('\n'))
  if (block !== undefined) return { quote: block }
  const paragraph = text.slice(text.lastIndexOf('\n\n') + 1)
  const marks = [...paragraph.matchAll(marked)]
  const quote = marks
    .at(-1)
    ?.slice(1)
    .find((found) => found !== undefined)
  return quote === undefined ? {} : { quote }
}

/** Lines that begin with `>` right before the link, which may itself stand on the last of them: `> — [[Note]]`. */
function blockQuote(lines: string[]): string | undefined {
  const last = lines.pop() ?? ''
  const isInside = last.trimStart().startsWith('>')
  if (!isInside && !/^[\s(—–-]*(?:from|source|see)?:?[\s(—–-]*$/i.test(last)) return undefined
  if (isInside) lines.push(last)
  if (!isInside && lines.at(-1)?.trim() === '') lines.pop()
  let from = lines.length
  while (from > 0 && lines[from - 1].trimStart().startsWith('>')) from--
  const quoted = lines.slice(from).map((line) => line.replace(/^\s*>[ \t]?/, ''))
  const words = quoted
    .join('\n')
    .trim()
    .replace(/[\s(—–-]+$/, '')
    .replace(/^["“„«]|["”“»]$/g, '')
  return words.length < 3 ? undefined : words
}
