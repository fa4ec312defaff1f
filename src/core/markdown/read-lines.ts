import { scanNote } from './scan-note.js'
import type { NoteLink, ScannedNote, Span } from './scanned-note.js'

export interface ReadableLine {
  /** The words of the line without markup; '' if it has none. */
  words: string
  /** `item` and `title` begin a new paragraph, `text` continues one. A `loose-row` is a table row without headers. */
  kind: 'text' | 'item' | 'title' | 'row' | 'loose-row' | 'heading'
}

/** The readable text of a note, line by line: without markup and code blocks, and with table rows as sentences. */
export function readLines(text: string): ReadableLine[] {
  const scanned = scanNote(text)
  const lines = spansOfLines(text, scanned.lineStarts)
  const skippedLines = findSkippedLines(text, scanned)
  const headingLines = new Set(scanned.headings.map(({ line }) => line - 1))
  const prefixes = lines.map(({ start, end }, at) => prefixOf(skippedLines.has(at) ? '' : text.slice(start, end)))
  const prefixEdits = lines.map(({ start }, at) => ({ start, end: start + (prefixes[at]?.length ?? 0), words: '' }))
  const blockIds = scanned.blocks.map(({ start, end }) => ({
    start: start - (text[start - 1] === '^' ? 1 : 0),
    end,
    words: '',
  }))
  const inline = [...inlineEdits(text, scanned), ...blockIds]
  const bodies = mask(text, prefixEdits, ' ')
  const masked = mask(bodies, inline)
  const unlinked = mask(masked, scanned.links)
  const shapes = lines.map(({ start, end }, at) => (skippedLines.has(at) ? '' : masked.slice(start, end)))
  const rows = tableRows(shapes)
  const marks = markEdits(masked)
  const unmarked = mask(masked, marks)
  const emphasis = paragraphs(shapes, prefixes, rows).flatMap(([first, last]) =>
    emphasisMarks(unmarked, lines[first]?.start ?? 0, lines[last]?.end ?? 0).map(
      (span): Edit => ({ ...span, words: '' }),
    ),
  )
  const read = editedText(text, [...prefixEdits, ...inline, ...marks, ...emphasis])
  const readText = (start: number, end: number) =>
    read(start, end)
      .replace(/\s+/g, ' ')
      .replace(/ (?=[.,;:!?)](?:\s|$))/g, '')
      .trim()
  const headers = new Map<number, string[]>()

  return lines.map(({ start, end }, at): ReadableLine => {
    const row = rows.get(at)
    if (skippedLines.has(at)) return emptyLine
    if (row !== undefined) {
      const cells = cellSpans(shapes[at] ?? '').map((cell) => readText(start + cell.start, start + cell.end))
      if (row === 'rule') {
        headers.set(at, cells)
        return emptyLine
      }
      return { words: rowSentence(cells, headers.get(row.header) ?? []), kind: row.header < 0 ? 'loose-row' : 'row' }
    }
    const words = readText(start, end)
    if (isRule(text.slice(start, end)) || isNavigation(unlinked.slice(start, end))) return emptyLine
    if (headingLines.has(at)) return { words: words.replace(/\s+#+$/, ''), kind: 'heading' }
    const { isItem = false, isTitle = false } = prefixes[at] ?? {}
    return {
      words: isTitle ? words.replace(/^"(.*)"$/, '$1') : words,
      kind: isItem ? 'item' : isTitle ? 'title' : 'text',
    }
  })
}

/** The readable text as one string with the same lines, to search for words. */
export const readableText = (text: string): string =>
  readLines(text)
    .map(({ words }) => restoreSentenceEnds(words))
    .join('\n')

const emptyLine: ReadableLine = { words: '', kind: 'text' }

function spansOfLines(text: string, starts: Int32Array): { start: number; end: number }[] {
  return Array.from(starts, (start, at) => ({ start, end: starts[at + 1] ?? text.length }))
}

/** Lines of frontmatter, code blocks and formula blocks. */
function findSkippedLines(text: string, { regions, lineStarts }: ScannedNote): Set<number> {
  const skippedLines = new Set<number>()
  let at = 0
  for (const { kind, start, end } of regions) {
    const isOwn =
      kind === 'math' ? text.slice(start, end).includes('\n') : !['code-span', 'comment', 'html-comment'].includes(kind)
    if (!isOwn) continue
    while ((lineStarts[at + 1] ?? Number.POSITIVE_INFINITY) <= start) at++
    for (let line = at; (lineStarts[line] ?? Number.POSITIVE_INFINITY) < end; line++) skippedLines.add(line)
  }
  return skippedLines
}

/** Covers spans with a placeholder, so that no markup is found in them; every character keeps its offset. */
function mask(text: string, spans: readonly Span[], cover = '\u0001'): string {
  let masked = ''
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= masked.length) continue
    const from = Math.max(start, masked.length)
    masked += text.slice(masked.length, from) + text.slice(from, end).replace(/\S/g, cover)
  }
  return masked + text.slice(masked.length)
}

/** Ranges of lines in which emphasis may begin on one line and end on another. */
function paragraphs(
  shapes: readonly string[],
  prefixes: readonly { isItem: boolean; isTitle: boolean }[],
  rows: ReadonlyMap<number, unknown>,
): [number, number][] {
  const found: [number, number][] = []
  for (const [at, shape] of shapes.entries()) {
    if (shape.trim() === '') continue
    const isNew = prefixes[at]?.isItem || prefixes[at]?.isTitle || rows.has(at) || rows.has(at - 1)
    const last = found.at(-1)
    if (!isNew && last?.[1] === at - 1) last[1] = at
    else found.push([at, at])
  }
  return found
}

const isRule = (shape: string): boolean => /^\s*(?:(?:[-*_]\s*){3,}|=+|-+)\s*$/.test(shape)

/** True for a line of links without words between them, as in a page footer. */
const isNavigation = (shape: string): boolean => /[|·•]/.test(shape) && !/[\p{L}\p{N}]/u.test(shape)

/** Replacements for links, code, formulas, comments and HTML. */
function inlineEdits(text: string, { links, regions }: ScannedNote): Edit[] {
  const edits: Edit[] = []
  for (const link of links) if (link.kind !== 'frontmatter') edits.push(...linkEdits(text, link))
  for (const { kind, start, end } of regions) {
    const written = text.slice(start, end)
    const [marks] = /^(?:`+|\$+)/.exec(written) ?? ['']
    const inside = written.slice(marks.length, -marks.length || undefined).trim()
    const isSpoken = kind === 'code-span' || (kind === 'math' && !written.includes('\n'))
    edits.push({ start, end, words: isSpoken ? hideSentenceEnds(inside.replace(/\s+/g, ' ')) : ' ' })
  }
  return edits
}

/** A link is replaced by its display text; a picture by nothing. */
function linkEdits(text: string, link: NoteLink): Edit[] {
  const { start, end, syntax, display, raw } = link
  const whole = (words: string): Edit[] => [{ start, end, words }]
  if (syntax === 'wiki') return whole(isPicture(link) ? ' ' : hideSentenceEnds(shownName(link)))
  if (syntax === 'definition') return whole(' ')
  if (syntax === 'autolink') return whole(raw.replace(/^<(.*)>$/s, '$1'))
  // A number after a sentence refers to a source: it is not part of the text.
  if (raw.startsWith('!') || display === undefined || /^[\s\d^[\]\\↩*]*$/.test(display)) return whole(' ')
  const from = start + 1
  const to = from + display.length
  const stops = [...text.slice(from, to).matchAll(/[.!?](?=\s)/g)].map(({ 0: stop, index }): Edit => {
    return { start: from + index, end: from + index + 1, words: hideSentenceEnds(`${stop} `).trimEnd() }
  })
  return [{ start, end: from, words: '' }, ...stops, { start: to, end, words: '' }]
}

function shownName({ display, target, subpath }: NoteLink): string {
  const name = target.slice(target.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  return (display ?? (name || (subpath ?? '').replace(/^#\^?/, ''))).replace(/\s+/g, ' ').trim()
}

const isPicture = ({ kind, target }: NoteLink): boolean =>
  kind === 'embed' && /\.(?:png|jpe?g|gif|svg|webp|bmp|avif|mp[34]|webm|ogg|wav|mov|pdf)$/i.test(target)

/** Replacements for other inline markup. Links and code are covered in `masked`. */
function markEdits(masked: string): Edit[] {
  const edits: Edit[] = []
  for (const [pattern, read] of markPatterns) {
    for (const match of masked.matchAll(pattern)) {
      edits.push({ start: match.index, end: match.index + match[0].length, words: read(match) })
    }
  }
  for (const { 0: link, 1: shown = '', index } of masked.matchAll(/\[([^[\]\n]{1,500})\]\[[^[\]\n]{0,200}\]/g)) {
    const end = index + 1 + shown.length
    edits.push({ start: index, end: index + 1, words: '' }, { start: end, end: index + link.length, words: '' })
  }
  return edits
}

const markPatterns: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [
    /<\/?[a-z][^<>]{0,2000}>|<![a-z-][^<>]{0,2000}>/gi,
    ([tag]) => (/^<\/?(?:b|i|u|em|a|strong|span|kbd|code|sub|sup|mark|s|font)\b/i.test(tag) ? '' : ' '),
  ],
  [/&(?:#\d{1,6}|[a-z]{2,8});/gi, ([entity]) => entities.get(entity.toLowerCase()) ?? ' '],
  // Footnotes, and directives of site generators.
  [/\[\^[^\]\s]{1,100}\]:?|\{%[^%\n]{0,500}%\}|\{:[^}\n]{0,500}\}/g, () => ''],
  [/\\(?=[!-/:-@[-`{-~])/g, () => ''],
]

const entities = new Map([
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&ndash;', '–'],
  ['&mdash;', '—'],
  ['&hellip;', '…'],
])

const sentenceEnds = ['.', '!', '?']
const placeholders = ['\ue000', '\ue001', '\ue002']

/** Replaces sentence ends inside a link or code by placeholders, so that no sentence is split there. */
const hideSentenceEnds = (words: string): string =>
  words.replace(/[.!?](?=\s)/g, (end) => placeholders[sentenceEnds.indexOf(end)] ?? end)

export const restoreSentenceEnds = (words: string): string =>
  words.replace(/[\ue000-\ue002]/g, (stand) => sentenceEnds[placeholders.indexOf(stand)] ?? stand)

/** A span of the text and its replacement. */
interface Edit extends Span {
  words: string
}

/** Reads the text between two offsets with the edits applied. If two edits overlap, the first one counts. */
function editedText(text: string, edits: readonly Edit[]): (start: number, end: number) => string {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end)
  let next = 0
  let done = 0
  /** Must be called with increasing offsets: each edit is visited once. */
  return (start, end) => {
    let words = ''
    let from = Math.max(start, Math.min(done, end))
    for (let edit = sorted[next]; edit !== undefined && edit.start < end; edit = sorted[next]) {
      next++
      if (edit.end <= from) continue
      if (edit.start >= from) words += text.slice(from, edit.start) + edit.words
      from = Math.min(edit.end, end)
      done = edit.end
    }
    return words + text.slice(from, end)
  }
}

interface Run extends Span {
  mark: string
}

/** The matching marks of emphasis, strikethrough and highlights in one paragraph. */
function emphasisMarks(text: string, start: number, end: number): Span[] {
  const marks: Span[] = []
  const open = new Map<string, Run[]>()
  for (const { 0: run, index } of text.slice(start, end).matchAll(/(\*+|_+|~~|==)/g)) {
    const closing: Run = { mark: run.charAt(0), start: start + index, end: start + index + run.length }
    const before = text[closing.start - 1] ?? ' '
    const after = text[closing.end] ?? ' '
    const isInWord = run[0] === '_' && isWord(before) && isWord(after)
    if (isInWord) continue
    if (closing.start > start && !isSpace(before)) closeWith(closing, open, marks)
    if (closing.start < closing.end && closing.end < end && !isSpace(after)) {
      open.set(closing.mark, [...(open.get(closing.mark) ?? []).slice(-mostOpen), closing])
    }
  }
  return marks
}

/** Maximum nesting of emphasis. */
const mostOpen = 20

function closeWith(closing: Run, open: Map<string, Run[]>, marks: Span[]): void {
  const openers = open.get(closing.mark) ?? []
  while (closing.start < closing.end && openers.length > 0) {
    // `!`: the loop ends when there are none.
    const opener = openers.at(-1)!
    const length = Math.min(opener.end - opener.start, closing.end - closing.start)
    marks.push({ start: opener.end - length, end: opener.end })
    marks.push({ start: closing.start, end: closing.start + length })
    opener.end -= length
    closing.start += length
    if (opener.start === opener.end) openers.pop()
    // Marks that were opened in between and never closed are plain text.
    for (const [mark, others] of open) {
      if (mark !== closing.mark) {
        open.set(
          mark,
          others.filter(({ start }) => start < opener.start),
        )
      }
    }
  }
}

const isSpace = (character: string): boolean => /\s/.test(character)
const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character)

interface Prefix {
  /** Length of the markup at the start of the line. */
  length: number
  isItem: boolean
  isQuote: boolean
  /** The line begins a callout or admonition. */
  isTitle: boolean
}

const quotePrefix = /^\s{0,3}(?:>[ \t]?)+/
const itemPrefix = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?/
const calloutPrefix = /^\s*\[![^\]\n]{1,40}\][+-]?[ \t]*/
const headingPrefix = /^\s{0,3}#{1,6}(?:[ \t]+|$)/
/** The syntax of site generators: `!!! note "Title"`. */
const admonitionPrefix = /^\s*(?:!!!|\?\?\?)\+?[ \t]+[\w-]+[ \t]*/

/** Reads the markup at the start of a line. */
function prefixOf(line: string): Prefix {
  const quoted = quotePrefix.exec(line)?.[0].length ?? 0
  const rest = line.slice(quoted)
  const title = calloutPrefix.exec(rest)?.[0] ?? admonitionPrefix.exec(rest)?.[0]
  const listed = title === undefined ? itemPrefix.exec(rest)?.[0] : undefined
  const mark = title ?? listed ?? headingPrefix.exec(rest)?.[0] ?? /^\s*/.exec(rest)?.[0] ?? ''
  return {
    length: quoted + mark.length,
    isItem: listed !== undefined,
    isQuote: quoted > 0,
    isTitle: title !== undefined,
  }
}

const headerSeparator = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/** A table row with the line of its headers, -1 if unknown; header and separator lines are `rule`. */
type RowKind = { header: number } | 'rule'

/** Finds table rows in lines whose other pipes are covered. */
function tableRows(lines: readonly string[]): Map<number, RowKind> {
  const rows = new Map<number, RowKind>()
  let header: number | undefined
  for (const [at, line] of lines.entries()) {
    const isTable = line.includes('|')
    if (isTable && headerSeparator.test(line) && lines[at - 1]?.includes('|')) {
      rows.set(at - 1, 'rule')
      rows.set(at, 'rule')
      header = at - 1
    } else if (!isTable) header = undefined
    else if (header !== undefined) rows.set(at, { header })
    else if (/^\s*\|.*\|\s*$/.test(line)) rows.set(at, headerSeparator.test(line) ? 'rule' : { header: -1 })
  }
  return rows
}

/** The spans of the cells in a row. */
function cellSpans(line: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  let start = /^\s*\|/.exec(line)?.[0].length ?? 0
  for (let at = start; at < line.length; at++) {
    if (line[at] !== '|' || line[at - 1] === '\\') continue
    spans.push({ start, end: at })
    start = at + 1
  }
  if (line.slice(start).trim() !== '') spans.push({ start, end: line.length })
  return spans
}

/** A row as a sentence: "Day: 5 May; Loaves: 42". */
function rowSentence(cells: readonly string[], headers: readonly string[]): string {
  const parts = cells.flatMap((cell, at) => {
    const header = (headers[at] ?? '').replace(/:$/, '')
    return cell === '' ? [] : [header === '' ? cell : `${header}: ${cell}`]
  })
  return parts.join('; ')
}
