import {
  CARET,
  CARRIAGE_RETURN,
  CLOSE_BRACKET,
  GREATER,
  HASH,
  HYPHEN,
  isAsciiLetter,
  isBlank,
  isDigit,
  LINE_FEED,
  OPEN_BRACKET,
} from './characters.js'
import type { Findings } from './findings.js'
import { scanInline } from './scan-inline.js'
import { readDefinition } from './scan-link.js'

/** Scans a closed paragraph; from `tableStart` on (unless -1) its lines are table rows, each scanned alone. */
export function scanParagraph(findings: Findings, from: number, end: number, tableStart: number): void {
  const { text } = findings
  const start = takeDefinitions(findings, from, end)
  if (start >= end) return
  if (tableStart < 0) scanInline(findings, { start, end, inTable: false })
  else {
    if (tableStart > start) scanInline(findings, { start, end: tableStart, inTable: false })
    for (let row = Math.max(tableStart, start); row < end; ) {
      const rowEnd = Math.min(end, endOfLine(text, row))
      scanInline(findings, { start: row, end: rowEnd, inTable: true })
      row = lineAfter(text, rowEnd)
    }
  }
  addBlockId(findings, start, end)
}

/** Takes the reference definitions at the start of a paragraph; returns the offset of the text after them. */
export function takeDefinitions(findings: Findings, start: number, end: number): number {
  const { text } = findings
  let position = start
  while (position < end && text.charCodeAt(position) === OPEN_BRACKET) {
    const next = text.charCodeAt(position + 1)
    // `[[` is a wikilink, `[^` a footnote, which is scanned as text.
    if (next === OPEN_BRACKET || next === CARET) return position
    const definition = readDefinition(text, position, end)
    if (definition === undefined) return position
    const { link, after } = definition
    findings.links.push(Object.assign(link, { line: findings.lineOf(link.start) }))
    position = after
    while (position < end && (isBlank(text.charCodeAt(position)) || text.charCodeAt(position) === GREATER)) position++
  }
  return position
}

export function addAtxHeading(findings: Findings, marks: number, level: number, lineEnd: number): void {
  const { text } = findings
  let start = marks + level
  let end = lineEnd
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  let close = end
  while (close > start && text.charCodeAt(close - 1) === HASH) close--
  if (close < end && (close === start || isBlank(text.charCodeAt(close - 1)))) {
    end = close
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  }
  const line = findings.lineOf(marks)
  findings.headings.push({ level, text: text.slice(start, end), line, start: marks, end: lineEnd })
  scanInline(findings, { start, end, inTable: false })
  addBlockId(findings, start, end)
}

/** Adds the heading of a paragraph underlined with `=` or `-`. The paragraph itself is scanned when it closes. */
export function addSetextHeading(findings: Findings, level: number, start: number, end: number, lineEnd: number): void {
  const lines = findings.text.slice(start, end).split('\n')
  const words = lines.map((each, index) => (index === 0 ? each : each.replace(/^[ \t>]+/, '')).trim()).join(' ')
  findings.headings.push({ level, text: words, line: findings.lineOf(start), start, end: lineEnd })
}

/** Adds the task whose checkbox is at `box`, after its list marker; returns the offset of its text, or -1. */
export function addTask(findings: Findings, marker: number, box: number, lineEnd: number): number {
  const { text } = findings
  if (text.charCodeAt(box) !== OPEN_BRACKET) return -1
  const status = String.fromCodePoint(text.codePointAt(box + 1) ?? 0)
  const close = box + 1 + status.length
  if (close >= lineEnd || text.charCodeAt(close) !== CLOSE_BRACKET) return -1
  if (close + 1 < lineEnd && !isBlank(text.charCodeAt(close + 1))) return -1
  const start = Math.min(close + 2, lineEnd)
  const words = text.slice(start, lineEnd).trim()
  findings.tasks.push({ status, text: words, line: findings.lineOf(marker), start: marker, end: lineEnd })
  return start
}

/** Offset of the line break after `position`, or the text's end. */
export function endOfLine(text: string, position: number): number {
  const lineFeed = text.indexOf('\n', position)
  if (lineFeed < 0) return text.length
  return lineFeed > position && text.charCodeAt(lineFeed - 1) === CARRIAGE_RETURN ? lineFeed - 1 : lineFeed
}

export function lineAfter(text: string, position: number): number {
  const lineFeed = text.indexOf('\n', position)
  return lineFeed < 0 ? text.length : lineFeed + 1
}

/** `^id` at the end of a block, or alone on its last line. */
function addBlockId(findings: Findings, start: number, blockEnd: number): void {
  const { text } = findings
  let end = blockEnd
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  let caret = end - 1
  while (caret >= start && isBlockIdPart(text.charCodeAt(caret))) caret--
  if (caret < start || caret === end - 1 || text.charCodeAt(caret) !== CARET) return
  if (caret > start) {
    const before = text.charCodeAt(caret - 1)
    if (!isBlank(before) && before !== LINE_FEED) return
  }
  const region = findings.regions.at(-1)
  if (region !== undefined && region.end > caret) return
  findings.blocks.push({ id: text.slice(caret + 1, end), start: caret, end, line: findings.lineOf(caret) })
}

function isBlockIdPart(code: number): boolean {
  return isAsciiLetter(code) || isDigit(code) || code === HYPHEN
}
