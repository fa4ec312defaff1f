import { type Style, terminalText } from '../terminal/terminal.js'
import { drawTable, isDelimiterRow, splitCells } from './markdown-table.js'
import { inlinePieces, longestLine, type Piece, wrapPieces } from './markdown-text.js'

/**
 * Draws Markdown as it arrives: each paragraph, list item and line of code as soon as it is complete, and a table when
 * it has ended. No letter is lost, no control character obeyed.
 */
export interface MarkdownStream {
  /** Answers the lines that are now complete, each with its line break. */
  push(text: string): string
  /** Returns the remaining text. */
  end(): string
}

/** Where it is drawn. The width is asked for each block: a window changes its size. */
interface MarkdownScreen {
  readonly style: Style
  readonly width: number
}

export function markdownStream(screen: MarkdownScreen): MarkdownStream {
  const draw = lineDrawer(screen)
  let rest = ''
  /** Lines that may become a table: the header alone, or header, delimiter and rows. */
  let held: string[] = []

  function release(): string[] {
    const lines = held
    held = []
    return lines.length > 1 ? drawTable(lines, screen) : lines.flatMap((line) => draw(line))
  }

  function take(raw: string): string[] {
    const line = terminalText(raw.replace(/\r$/, ''))
    const mayBeRow = !draw.isInFence() && line.includes('|') && line.length <= longestLine
    const [head, ...more] = held
    const isHead = head !== undefined && more.length === 0
    if (isHead && isDelimiterRow(line) && splitCells(line).length === splitCells(head).length) {
      held.push(line)
      return []
    }
    if (held.length > 1 && mayBeRow) {
      held.push(line)
      return []
    }
    const before = release()
    if (mayBeRow) held = [line]
    return mayBeRow ? before : [...before, ...draw(line)]
  }

  const joined = (lines: string[]) => lines.map((line) => `${line}\n`).join('')
  return {
    push(text) {
      rest += text
      const end = rest.lastIndexOf('\n')
      if (end === -1) return ''
      const lines = rest.slice(0, end).split('\n')
      rest = rest.slice(end + 1)
      return joined(lines.flatMap(take))
    },
    end() {
      const last = rest === '' ? [] : take(rest)
      rest = ''
      return joined([...last, ...release()])
    },
  }
}

/** Text beside indentation and bars gets at least this much, however deep it is. */
const least = 12

interface LineDrawer {
  /** Draws an escaped line as one or more. */
  (line: string): string[]
  isInFence(): boolean
}

/** Draws line by line. Without colour the marks stay, since headings would otherwise look like sentences. */
function lineDrawer(screen: MarkdownScreen): LineDrawer {
  let fence: string | undefined

  function drawLine(line: string): string[] {
    const { style, width } = screen
    const keepsMarks = style.strong('x') === 'x'
    const pieces = (text: string): Piece[] =>
      keepsMarks ? [{ text, paint: (words) => words }] : inlinePieces(text, style)
    const set = (text: Piece[], first: string, further: string, room: number): string[] =>
      wrapPieces(text, Math.max(least, room)).map((words, at) => (at === 0 ? first : further) + words)
    /** Deep indentation is cut, so that the text has room in a narrow window. */
    const indentOf = (blanks: string): string =>
      ' '.repeat(Math.min(blanks.replaceAll('\t', '    ').length, Math.floor(width / 3)))

    const mark = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && fence === undefined) {
      fence = mark
      const language = line.trim().slice(mark.length).trim()
      return [keepsMarks ? line : `  ${style.faint(language === '' ? '┄┄' : language)}`]
    }
    if (mark !== undefined && fence !== undefined && mark.startsWith(fence) && line.trim() === mark) {
      fence = undefined
      return [keepsMarks ? line : `  ${style.faint('┄┄')}`]
    }
    if (fence !== undefined) {
      if (keepsMarks) return [line]
      const blanks = /^[ \t]*/.exec(line)?.[0] ?? ''
      const indent = `  ${blanks.length < line.length ? blanks : ''}`
      const code = [{ text: line.slice(blanks.length), paint: style.path }]
      if (blanks.length === line.length) return [`  ${style.path(line)}`]
      return set(code, `${indent}`, `  ${indentOf(blanks)}  `, width - indent.length - 2)
    }

    const heading = /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/.exec(line)?.[1]
    if (heading !== undefined && !keepsMarks) return wrapPieces(inlinePieces(heading, style, style.strong), width)
    if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) {
      return [keepsMarks ? line : style.faint('─'.repeat(Math.min(width, 40)))]
    }
    const [, quoteMarks, quoted = ''] = /^ {0,3}((?:>[ \t]?)+)(.*)$/.exec(line) ?? []
    if (quoteMarks !== undefined) {
      const depth = Math.min(quoteMarks.replace(/[^>]/g, '').length, Math.max(1, Math.floor(width / 6)))
      const bar = style.faint((keepsMarks ? '> ' : '│ ').repeat(depth))
      return set(keepsMarks ? pieces(quoted) : quotePieces(quoted, style), bar, bar, width - depth * 2)
    }
    const [, itemBlanks = '', itemMark, itemText = ''] = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(.*)$/.exec(line) ?? []
    if (itemMark !== undefined) {
      const indent = indentOf(itemBlanks)
      const bullet = /\d/.test(itemMark) || keepsMarks ? itemMark : '•'
      // A box to tick is its own bullet.
      const first = !keepsMarks && bullet === '•' && /^\[[ xX]\] /.test(itemText) ? '' : `${bullet} `
      const hang = ' '.repeat(indent.length + (first === '' ? 4 : first.length))
      return set(pieces(itemText), `${indent}${first}`, hang, width - hang.length)
    }
    const blanks = /^[ \t]*/.exec(line)?.[0] ?? ''
    const indent = indentOf(blanks)
    return set(pieces(line.slice(blanks.length)), indent, indent, width - indent.length)
  }

  return Object.assign(drawLine, { isInFence: () => fence !== undefined })
}

/** `[!note] Title`, the first line of a callout, is drawn as its kind and its title. */
function quotePieces(text: string, style: Style): Piece[] {
  const [, kind, title = ''] = /^\[!([\w-]+)\][+-]?\s*(.*)$/.exec(text) ?? []
  if (kind === undefined) return inlinePieces(text, style)
  const head: Piece = { text: title === '' ? kind : `${kind}: `, paint: style.strong }
  return [head, ...inlinePieces(title, style, style.strong)]
}
