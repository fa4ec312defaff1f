import { scanNote } from '../scan-note.js'
import type { ScannedNote, Span } from '../scanned-note.js'
import { type Edit, editedText } from './edits.js'
import { emphasisMarks } from './emphasis.js'
import { inlineEdits, markEdits } from './inline-edits.js'
import { prefixOf } from './line-prefix.js'
import { broken } from './sentence-ends.js'
import { cellSpans, rowSentence, tableRows } from './table-rows.js'

export interface ReadLine {
  /** What someone reading aloud would say; '' where there is nothing to say. */
  words: string
  /** `item` and `title` begin something new; `text` goes on. A `loose-row` has lost the headers of its table. */
  kind: 'text' | 'item' | 'title' | 'row' | 'loose-row' | 'heading'
}

/** A note as it is read, line by line: the words without the marks that set them, tables by rows, no code of its own. */
export function readLines(text: string): ReadLine[] {
  const scanned = scanNote(text)
  const lines = spansOfLines(text, scanned.lineStarts)
  const silent = silentLines(text, scanned)
  const headingLines = new Set(scanned.headings.map(({ line }) => line - 1))
  const prefixes = lines.map(({ start, end }, at) => prefixOf(silent.has(at) ? '' : text.slice(start, end)))
  const beginnings = prefixes.map(({ length }, at) => ({
    start: lines[at].start,
    end: lines[at].start + length,
    words: '',
  }))
  const blockIds = scanned.blocks.map(({ start, end }) => ({
    start: start - (text[start - 1] === '^' ? 1 : 0),
    end,
    words: '',
  }))
  const inline = [...inlineEdits(text, scanned), ...blockIds]
  const bodies = mask(text, beginnings, ' ')
  const masked = mask(bodies, inline)
  const unlinked = mask(masked, scanned.links)
  const shapes = lines.map(({ start, end }, at) => (silent.has(at) ? '' : masked.slice(start, end)))
  const rows = tableRows(shapes)
  const found = markEdits(masked)
  const bare = mask(masked, found)
  const emphasis = paragraphs(shapes, prefixes, rows).flatMap(([first, last]) =>
    emphasisMarks(bare, lines[first].start, lines[last].end).map((span): Edit => ({ ...span, words: '' })),
  )
  const read = editedText(text, [...beginnings, ...inline, ...found, ...emphasis])
  const said = (start: number, end: number) =>
    read(start, end)
      .replace(/\s+/g, ' ')
      .replace(/ (?=[.,;:!?)](?:\s|$))/g, '')
      .trim()
  const headers = new Map<number, string[]>()

  return lines.map(({ start, end }, at): ReadLine => {
    const row = rows.get(at)
    if (silent.has(at)) return nothing
    if (row !== undefined) {
      const cells = cellSpans(shapes[at]).map((cell) => said(start + cell.start, start + cell.end))
      if (row === 'rule') headers.set(at, cells)
      if (row === 'rule') return nothing
      return { words: rowSentence(cells, headers.get(row.header) ?? []), kind: row.header < 0 ? 'loose-row' : 'row' }
    }
    const words = said(start, end)
    if (isRule(text.slice(start, end)) || isNavigation(unlinked.slice(start, end))) return nothing
    if (headingLines.has(at)) return { words: words.replace(/\s+#+$/, ''), kind: 'heading' }
    const { isItem, isTitle } = prefixes[at]
    return {
      words: isTitle ? words.replace(/^"(.*)"$/, '$1') : words,
      kind: isItem ? 'item' : isTitle ? 'title' : 'text',
    }
  })
}

/** The same as one text with the same lines, to look for words in. */
export const readableText = (text: string): string =>
  readLines(text)
    .map(({ words }) => broken(words))
    .join('\n')

const nothing: ReadLine = { words: '', kind: 'text' }

function spansOfLines(text: string, starts: Int32Array): { start: number; end: number }[] {
  return Array.from(starts, (start, at) => ({ start, end: starts[at + 1] ?? text.length }))
}

/** Lines of frontmatter, code and formulas of their own. */
function silentLines(text: string, { regions, lineStarts }: ScannedNote): Set<number> {
  const silent = new Set<number>()
  let at = 0
  for (const { kind, start, end } of regions) {
    const isOwn =
      kind === 'math' ? text.slice(start, end).includes('\n') : !['code-span', 'comment', 'html-comment'].includes(kind)
    if (!isOwn) continue
    while (at + 1 < lineStarts.length && lineStarts[at + 1] <= start) at++
    for (let line = at; line < lineStarts.length && lineStarts[line] < end; line++) silent.add(line)
  }
  return silent
}

/** What is edited already is hidden from what looks for marks; every character keeps its place. */
function mask(text: string, spans: readonly Span[], cover = '\u0001'): string {
  let masked = ''
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= masked.length) continue
    const from = Math.max(start, masked.length)
    masked += text.slice(masked.length, from) + text.slice(from, end).replace(/\S/g, cover)
  }
  return masked + text.slice(masked.length)
}

/** Stretches of lines in which emphasis may begin on one line and end on another. */
function paragraphs(
  shapes: readonly string[],
  prefixes: readonly { isItem: boolean; isTitle: boolean }[],
  rows: ReadonlyMap<number, unknown>,
): [number, number][] {
  const found: [number, number][] = []
  for (const [at, shape] of shapes.entries()) {
    if (shape.trim() === '') continue
    const isNew = prefixes[at].isItem || prefixes[at].isTitle || rows.has(at) || rows.has(at - 1)
    const last = found.at(-1)
    if (!isNew && last?.[1] === at - 1) last[1] = at
    else found.push([at, at])
  }
  return found
}

const isRule = (shape: string): boolean => /^\s*(?:(?:[-*_]\s*){3,}|=+|-+)\s*$/.test(shape)

/** Links side by side and no word between them: the foot of a page. */
const isNavigation = (shape: string): boolean => /[|·•]/.test(shape) && !/[\p{L}\p{N}]/u.test(shape)
