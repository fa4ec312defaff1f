import type { Style } from '../terminal/terminal.js'
import { padToWidth, paintedWidth } from '../terminal/text-width.js'
import { inlinePieces, longestLine, type Piece, wrapPieces } from './markdown-text.js'

const delimiter = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/** The line below the header: `| --- | :-: |`. */
export function isDelimiterRow(line: string): boolean {
  return line.length <= longestLine && line.includes('-') && delimiter.test(line)
}

/** The cells of a row. `\\|` is part of a cell. */
export function splitCells(line: string): string[] {
  const inside = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

type Alignment = 'left' | 'center' | 'right'

interface Table {
  head: Piece[][]
  rows: Piece[][][]
  alignments: Alignment[]
}

const separator = ' │ '

/** Draws a table in columns, or as a list of its rows where the columns would not fit without breaking words. */
export function drawTable(lines: readonly string[], { style, width }: { style: Style; width: number }): string[] {
  if (style.strong('x') === 'x') {
    return lines.flatMap((text) => wrapPieces([{ text, paint: (words) => words }], width))
  }
  const table = readTable(lines, style)
  const widths = columnWidths(table, width)
  return widths === undefined ? drawRows(table, style, width) : drawColumns(table, widths, style)
}

function readTable([head = '', marks = '', ...rows]: readonly string[], style: Style): Table {
  const cells = rows.map(splitCells)
  const columns = Math.max(splitCells(head).length, ...cells.map((row) => row.length))
  const filled = (row: string[]) => [...row, ...Array<string>(columns - row.length).fill('')]
  return {
    head: filled(splitCells(head)).map((cell) => inlinePieces(cell, style, style.strong)),
    rows: cells.map((row) => filled(row).map((cell) => inlinePieces(cell, style))),
    alignments: filled(splitCells(marks)).map((mark) => {
      if (!mark.endsWith(':')) return 'left'
      return mark.startsWith(':') ? 'center' : 'right'
    }),
  }
}

const textOf = (cell: readonly Piece[]): string => cell.map(({ text }) => text).join('')

/** The width of each column, the widest ones narrowed as far as needed; undefined if words would be broken. */
function columnWidths({ head, rows }: Table, width: number): number[] | undefined {
  const columns = head.map((cell, at) => [cell, ...rows.map((row) => row[at] ?? [])].map(textOf))
  const natural = columns.map((cells) => Math.max(1, ...cells.map(paintedWidth)))
  const narrowest = columns.map((cells) => Math.max(1, ...cells.flatMap((cell) => cell.split(/\s+/)).map(paintedWidth)))
  const room = width - separator.length * (columns.length - 1)
  const sum = (widths: number[]) => widths.reduce((total, one) => total + one, 0)
  if (sum(natural) <= room) return natural
  if (sum(narrowest) > room) return undefined
  for (let most = room; ; most--) {
    const widths = natural.map((wide, at) => Math.max(narrowest[at] ?? 1, Math.min(wide, most)))
    if (sum(widths) <= room) return widths
  }
}

function drawColumns({ head, rows, alignments }: Table, widths: number[], style: Style): string[] {
  const rule = style.faint(widths.map((width) => '─'.repeat(width)).join('─┼─'))
  const drawn = rows.map((row) => drawRow(row, widths, alignments, style))
  const isWrapped = drawn.some((lines) => lines.length > 1)
  // Rows of several lines need a rule between them to be told apart.
  const body = drawn.flatMap((lines, at) => (isWrapped && at > 0 ? [rule, ...lines] : lines))
  return [...drawRow(head, widths, alignments, style), rule, ...body]
}

function drawRow(row: Piece[][], widths: number[], alignments: Alignment[], style: Style): string[] {
  const cells = row.map((cell, at) => wrapPieces(cell, widths[at] ?? 1))
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, at) => aligned(lines[line] ?? '', widths[at] ?? 1, alignments[at] ?? 'left'))
      .join(style.faint(separator))
      .trimEnd(),
  )
}

function aligned(text: string, width: number, alignment: Alignment): string {
  if (alignment === 'left') return padToWidth(text, width)
  const left = Math.max(0, width - paintedWidth(text))
  const before = alignment === 'right' ? left : Math.floor(left / 2)
  return padToWidth(' '.repeat(before) + text, width)
}

/** Each cell of a row on its own line, below the name of its column. */
function drawRows({ head, rows }: Table, style: Style, width: number): string[] {
  if (rows.length === 0) return head.flatMap((cell) => wrapPieces(cell, width))
  return rows.flatMap((row, number) => {
    const lines = row.flatMap((cell, at) => {
      const name = head[at] ?? []
      if (textOf(cell) === '') return []
      const label: Piece[] = textOf(name) === '' ? [] : [...name, { text: ': ', paint: style.strong }]
      return wrapPieces([...label, ...cell], width - 2).map((line, part) => (part === 0 ? line : `  ${line}`))
    })
    return number === 0 ? lines : [style.faint('─'.repeat(Math.min(width, 12))), ...lines]
  })
}
