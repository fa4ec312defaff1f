import { type Style, visibleText } from '../../terminal/index.js'
import { inlinePieces, type Piece } from './inline-pieces.js'
import { wrapPieces } from './wrap-pieces.js'

/** Draws Markdown as it arrives, a line as soon as it is complete. No letter is lost, no control character obeyed. */
export interface MarkdownStream {
  /** Answers the lines that are now complete, each with its line break. */
  push(text: string): string
  /** The rest. */
  end(): string
  /** What has come of the line that is not complete yet. */
  pending(): string
}

export function markdownStream(style: Style, width: number): MarkdownStream {
  const draw = lineDrawer(style, width)
  let rest = ''
  return {
    push(text) {
      rest += text
      const end = rest.lastIndexOf('\n')
      if (end === -1) return ''
      const lines = rest.slice(0, end).split('\n')
      rest = rest.slice(end + 1)
      return lines.map((line) => `${draw(line)}\n`).join('')
    },
    end() {
      const last = rest
      rest = ''
      return last === '' ? '' : `${draw(last)}\n`
    },
    pending: () => rest,
  }
}

/** Narrower than this nothing is set: a deep list would otherwise have no room at all. */
const least = 20

/** Draws line by line. Without colour the marks stay, since nothing else would tell a heading from a sentence. */
function lineDrawer(style: Style, width: number): (line: string) => string {
  const keepsMarks = style.strong('x') === 'x'
  let fence: string | undefined

  const pieces = (text: string): Piece[] =>
    keepsMarks ? [{ text, paint: (words) => words }] : inlinePieces(text, style)
  const set = (text: string, first: string, further: string, room: number): string =>
    wrapPieces(pieces(text), Math.max(least, room))
      .map((line, at) => (at === 0 ? first : further) + line)
      .join('\n')

  function drawFence(line: string, mark: string): string | undefined {
    if (fence === undefined) {
      fence = mark
      const words = line.trim().slice(mark.length).trim()
      return keepsMarks ? line : `  ${style.faint(words === '' ? '┄┄' : words)}`
    }
    if (!mark.startsWith(fence) || line.trim() !== mark) return undefined
    fence = undefined
    return keepsMarks ? line : `  ${style.faint('┄┄')}`
  }

  return (raw) => {
    const line = visibleText(raw.replace(/\r$/, ''))
    const mark = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1]
    const drawnFence = mark === undefined ? undefined : drawFence(line, mark)
    if (drawnFence !== undefined) return drawnFence
    if (fence !== undefined) return keepsMarks ? line : `  ${style.path(line)}`

    const heading = /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/.exec(line)
    if (heading !== null && !keepsMarks) {
      return wrapPieces(inlinePieces(heading[1], style, style.strong), width).join('\n')
    }
    if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) {
      return keepsMarks ? line : style.faint('─'.repeat(Math.min(width, 40)))
    }
    const quote = /^ {0,3}((?:>[ \t]?)+)(.*)$/.exec(line)
    if (quote !== null) {
      const depth = quote[1].replace(/[^>]/g, '').length
      const bar = style.faint((keepsMarks ? '> ' : '│ ').repeat(depth))
      return set(quote[2], bar, bar, width - depth * 2)
    }
    const item = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(.*)$/.exec(line)
    if (item !== null) {
      const indent = item[1].replaceAll('\t', '    ')
      const bullet = /\d/.test(item[2]) || keepsMarks ? item[2] : '•'
      const hang = ' '.repeat(indent.length + bullet.length + 1)
      return set(item[3], `${indent}${bullet} `, hang, width - hang.length)
    }
    // A table keeps its columns: a row that is too long is the terminal's to break.
    if (/^\s*\|/.test(line))
      return pieces(line)
        .map(({ text, paint }) => paint(text))
        .join('')
    const indent = /^[ \t]*/.exec(line)![0].replaceAll('\t', '    ')
    return set(line.trimStart(), indent, indent, width - indent.length)
  }
}
