import { Failure } from '../../errors.js'
import { type Heading, type Region, scanNote } from '../../markdown/index.js'
import { charactersFor } from '../../text/index.js'
import type { FilePart, NotePath } from '../../vault/index.js'
import { shortText } from '../result-format.js'
import type { ReadableVault } from '../tool-context.js'
import { validationFailure } from '../tool-input.js'

// `!` is used on line starts, which have an entry for each line, on headings that were found, and on groups of a match.

/** A stretch of a note's text: half-open offsets, and the lines it covers. */
interface TextRange {
  start: number
  end: number
  /** 1-based, inclusive. */
  lines: [number, number]
}

interface NotePart extends TextRange {
  part: number
  parts: number
}

const mostLines = 200
const mostCharacters = 20_000

/** One part of a range: whole lines, or a piece of a line that is too long. */
export function partOfNote(path: NotePath, text: string, whole: TextRange, part: number, room?: number): NotePart {
  const most = Math.min(mostCharacters, room === undefined ? mostCharacters : charactersFor(text, room))
  let found: TextRange | undefined
  let parts = 0
  for (let start = whole.start, line = whole.lines[0]; start < whole.end || parts === 0; ) {
    const piece = pieceFrom(text, { start, end: whole.end, most }, line)
    parts++
    if (parts === part) found = piece
    start = piece.end
    line = text.charCodeAt(piece.end - 1) === lineFeed ? piece.lines[1] + 1 : piece.lines[1]
  }
  if (found === undefined) throw noSuchPart(path, part, parts)
  return { ...found, part, parts }
}

function noSuchPart(path: NotePath, part: number, parts: number): Failure {
  const has = parts === 1 ? 'only one part' : `${parts} parts`
  return new Failure('invalid-input', `${path} has no part ${part}: it has ${has}.`, {
    hint: 'The first part is 1.',
  })
}

/** Number of lines in a text; nothing follows a final line break. */
export function countLines(text: string): number {
  let lines = 0
  for (let at = 0; at < text.length; lines++) at = lineEnd(text, at, text.length)
  return Math.max(1, lines)
}

/** The offset at which a line begins (1-based), or the end of the text if there are fewer lines. */
function lineStart(text: string, line: number): number {
  let at = 0
  for (let number = 1; number < line && at < text.length; number++) at = lineEnd(text, at, text.length)
  return at
}

const lineFeed = 10

function pieceFrom(
  text: string,
  { start, end: limit, most }: { start: number; end: number; most: number },
  firstLine: number,
): TextRange {
  let end = start
  let lines = 0
  while (end < limit && lines < mostLines) {
    const next = lineEnd(text, end, limit)
    if (next - start > most) break
    end = next
    lines++
  }
  if (end === start && start < limit)
    return { start, end: cutAt(text, start, limit, most), lines: [firstLine, firstLine] }
  return { start, end, lines: [firstLine, firstLine + Math.max(1, lines) - 1] }
}

function lineEnd(text: string, from: number, limit: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 || at >= limit ? limit : at + 1
}

/** A cut through a line, never through a character. */
function cutAt(text: string, start: number, limit: number, most: number): number {
  const at = Math.min(start + most, limit)
  const code = text.charCodeAt(at)
  return at < limit && code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}

const mostPartBytes = 20_000
/** Bytes of a token, where they are many for their bytes. */
const bytesPerToken = 2.5
/** How far from a part's border a line end is searched. */
const borderSearchBytes = 4096

interface LargeFilePart {
  bytes: Uint8Array
  from: number
  size: number
  part: number
  parts: number
}

/**
 * One part of a file too large to be read whole. Parts are split at line ends if there is one nearby, else between
 * characters, depending only on the bytes around the border: the parts fit together without reading the whole file.
 */
export async function partOfLargeFile(
  path: NotePath,
  part: number,
  vault: ReadableVault,
  room = Number.POSITIVE_INFINITY,
): Promise<LargeFilePart | undefined> {
  const partBytes = Math.max(1, Math.min(mostPartBytes, Math.floor(room * bytesPerToken)))
  const start = (part - 1) * partBytes
  const from = Math.max(0, start - 1)
  const stretch = await vault.readPart(path, { from, bytes: partBytes + borderSearchBytes + 8 })
  if (stretch === undefined) return undefined
  const parts = Math.max(1, Math.ceil(stretch.size / partBytes))
  if (part > parts) throw noSuchPart(path, part, parts)
  const first = partBorder(stretch, start)
  const end = partBorder(stretch, start + partBytes)
  const bytes = stretch.bytes.subarray(first - stretch.from, end - stretch.from)
  return { bytes, from: first, size: stretch.size, part, parts }
}

function partBorder({ bytes, from, size }: FilePart, wanted: number): number {
  if (wanted <= 0) return 0
  if (wanted >= size) return size
  const lineFeed = bytes.subarray(0, wanted - from + borderSearchBytes).indexOf(10, wanted - from - 1)
  if (lineFeed >= 0) return from + lineFeed + 1
  let at = wanted - from
  while (at < bytes.length && at < wanted - from + 3 && (bytes[at]! & 0xc0) === 0x80) at++
  return from + at
}

export interface NoteSelection {
  heading?: string | undefined
  block?: string | undefined
  /** `10-20`, `10-` or `10`. */
  lines?: string | undefined
}

/** The selected range of a note: the lines under a heading, a block, some lines, or everything. */
export function selectRange(path: NotePath, text: string, selection: NoteSelection): TextRange {
  const { heading, block, lines } = selection
  if (heading !== undefined) return rangeUnderHeading(path, text, heading)
  if (block !== undefined) return findBlock(path, text, block)
  if (lines !== undefined) return lineRange(path, text, lines)
  return { start: 0, end: text.length, lines: [1, countLines(text)] }
}

/** Only one kind of selection is allowed. */
export function checkSelection(selection: NoteSelection, tool = 'read_note'): void {
  const given = (['heading', 'block', 'lines'] as const).filter((name) => selection[name] !== undefined)
  if (given.length < 2) return
  throw validationFailure(tool, `${given.join(', ')}: use only one of these`)
}

function rangeUnderHeading(path: NotePath, text: string, wanted: string): TextRange {
  const { heading, end } = findSection(path, text, wanted)
  const start = heading.start === 0 ? 0 : text.lastIndexOf('\n', heading.start - 1) + 1
  return { start, end, lines: [heading.line, heading.line + countLines(text.slice(start, end)) - 1] }
}

function lineRange(path: NotePath, text: string, wanted: string): TextRange {
  const read = /^\s*L?(\d{1,9})\s*(?:([-–—:,]|\.\.)\s*L?(\d{1,9})?\s*)?$/i.exec(wanted)
  const first = read ? Number(read[1]) : 0
  const total = countLines(text)
  const last = read?.[2] === undefined ? first : Math.min(Number(read[3] ?? total), total)
  if (read === null || first === 0 || (read[3] !== undefined && Number(read[3]) < first)) {
    throw new Failure('invalid-input', `Not a range of lines: ${shortText(wanted, 50)}`, {
      hint: 'Write it as "10-20". The first line is 1.',
    })
  }
  if (first > total) {
    throw new Failure('invalid-input', `${path} has no line ${first}: it has ${total} lines.`)
  }
  return { start: lineStart(text, first), end: lineStart(text, last + 1), lines: [first, last] }
}

/** A heading's part of a note: from its line to the next heading of its level or above. */
interface Section {
  heading: Heading
  /** Offset after the last line with text, before the blank lines that follow it. */
  lastText: number
  end: number
}

/** Finds the section under a heading, by its text (`Goals`, `## Goals`) or its way down (`Plan#Goals`). */
export function findSection(path: string, text: string, wanted: string): Section {
  const { headings } = scanNote(text)
  const found = headingsNamed(headings, wanted)
  if (found.length === 0) throw noSuchHeading(path, headings, wanted)
  if (found.length > 1) {
    const lines = found.slice(0, 10).map(({ line }) => line)
    const more = found.length > lines.length ? ', …' : ''
    throw new Failure(
      'ambiguous',
      `${path} has ${found.length} headings ${shortText(wanted)} (lines ${lines.join(', ')}${more}).`,
      {
        hint: 'Add the parent heading, like "Plan#Goals".',
        data: { lines },
      },
    )
  }
  const heading = found[0]!
  const next = headings.find(({ start, level }) => start > heading.start && level <= heading.level)
  const end = next === undefined ? text.length : startOfLineAt(text, next.start)
  return { heading, end, lastText: withoutBlankLines(text, endOfLineAt(text, heading.end), end) }
}

function headingsNamed(headings: readonly Heading[], wanted: string): Heading[] {
  const whole = headings.filter(isHeadingNamed(wanted))
  if (whole.length > 0 || !wanted.includes('#')) return whole
  const way = wanted
    .split('#')
    .filter((part) => part.trim() !== '')
    .map(isHeadingNamed)
  const own = way.pop()
  const above: Heading[] = []
  return headings.filter((heading) => {
    while (above.length > 0 && above[above.length - 1]!.level >= heading.level) above.pop()
    const isMeant = own?.(heading) === true && isBelowHeadings(way, above)
    above.push(heading)
    return isMeant
  })
}

/** True if the headings above have these names, from the top down; other headings may be in between. */
function isBelowHeadings(way: readonly ((heading: Heading) => boolean)[], above: readonly Heading[]): boolean {
  let left = way.length
  for (let at = above.length - 1; at >= 0 && left > 0; at--) if (way[left - 1]!(above[at]!)) left--
  return left === 0
}

function isHeadingNamed(wanted: string): (heading: Heading) => boolean {
  const marks = /^\s*(#{1,6})\s+/.exec(wanted)
  const name = foldHeading(marks === null ? wanted : wanted.slice(marks[0].length))
  return ({ text, level }) => (marks === null || marks[1]!.length === level) && foldHeading(text) === name
}

function foldHeading(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
}

function noSuchHeading(path: string, headings: readonly Heading[], wanted: string): Failure {
  const named = headings.slice(0, 20).map(({ text }) => shortText(text, 100))
  const more = headings.length > named.length ? `, and ${headings.length - named.length} more` : ''
  return new Failure('not-found', `${path} has no heading ${JSON.stringify(shortText(wanted))}.`, {
    hint: headings.length === 0 ? 'It has no headings. Omit heading.' : `It has: ${named.join(', ')}${more}.`,
  })
}

function startOfLineAt(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

function endOfLineAt(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', Math.max(0, offset - 1))
  return lineFeed < 0 ? text.length : lineFeed + 1
}

function withoutBlankLines(text: string, start: number, end: number): number {
  let kept = end
  while (kept > start) {
    const line = Math.max(start, text.lastIndexOf('\n', kept - 2) + 1)
    if (/\S/.test(text.slice(line, kept))) break
    kept = line
  }
  return kept
}

/** The lines that a block id refers to: its paragraph, its list item with children, or the block before a lone id. */
function findBlock(path: NotePath, text: string, wanted: string): TextRange {
  const { blocks, lineStarts, regions } = scanNote(text)
  const id = wanted.trim().replace(/^#?\^/, '')
  const found = blocks.filter((block) => block.id.toLowerCase() === id.toLowerCase())
  if (found.length === 0) {
    throw new Failure('not-found', `${path} has no block ^${shortText(id, 50)}.`, {
      hint: 'A block id is at the end of a block, like ^a1b2c3.',
    })
  }
  if (found.length > 1) {
    const lines = found.slice(0, 20).map(({ line }) => line)
    throw new Failure('ambiguous', `${path} has ${found.length} blocks ^${id} (lines ${lines.join(', ')}).`, {
      hint: 'Use lines instead.',
      data: { candidates: lines },
    })
  }
  const lineText = (line: number) => text.slice(lineStarts[line - 1], lineStarts[line] ?? text.length).trimEnd()
  const [first, last] = blockExtent(found[0]!.line, lineStarts.length, lineText, (line) =>
    regionBefore(regions, lineStarts, line),
  )
  return { start: lineStarts[first - 1]!, end: lineStarts[last] ?? text.length, lines: [first, last] }
}

function blockExtent(
  line: number,
  lines: number,
  lineText: (line: number) => string,
  regionStart: (line: number) => number | undefined,
): [number, number] {
  if (!/^\s*(?:>\s*)*\^[\w-]+$/.test(lineText(line))) {
    let first = line
    while (!startsItem(lineText(first)) && first > 1 && isTextLine(lineText(first - 1))) first--
    let last = line
    if (startsItem(lineText(first))) while (last < lines && isDeeper(lineText(last + 1), lineText(first))) last++
    return [first, last]
  }
  let first = line
  while (first > 1 && lineText(first - 1).trim() === '') first--
  if (first === 1) return [line, line]
  first = regionStart(first - 1) ?? first - 1
  while (first > 1 && isTextLine(lineText(first - 1))) first--
  return [first, line]
}

const startsItem = (line: string): boolean => /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line)

const isTextLine = (line: string): boolean => line.trim() !== '' && !/^#{1,6}\s/.test(line)

const indentOf = (line: string): number => line.length - line.trimStart().length

const isDeeper = (line: string, item: string): boolean => line.trim() !== '' && indentOf(line) > indentOf(item)

/** The first line of the code or math block that a line belongs to; blank lines inside do not end it. */
function regionBefore(regions: readonly Region[], lineStarts: Int32Array, line: number): number | undefined {
  const offset = lineStarts[line - 1]!
  const around = regions.find(
    ({ kind, start, end }) => (kind === 'fence' || kind === 'math') && start <= offset && offset < end,
  )
  if (around === undefined) return undefined
  let first = line
  while (first > 1 && lineStarts[first - 1]! > around.start) first--
  return first
}
