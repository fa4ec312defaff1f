import { stripVTControlCharacters } from 'node:util'

/** Columns a text takes in a terminal: wide East Asian characters and emoji take two, combining marks none. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** The text cut to a width, with `…` where something was left off. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let used = 0
  let end = 0
  for (const character of text) {
    used += characterWidth(character)
    if (used > width - 1) break
    end += character.length
  }
  return `${text.slice(0, end).trimEnd()}…`
}

/** Cuts a path in its middle to a width: its beginning and its file name are the most useful parts. */
export function cutPath(path: string, width: number): string {
  if (textWidth(path) <= width) return path
  if (!path.includes('/')) return cutToWidth(path, width)
  const name = path.slice(path.lastIndexOf('/'))
  const room = width - 1
  // The whole name if it leaves some room for the folders, else as much of its end as of the beginning.
  const tail = lastOf(path, textWidth(name) <= room - Math.min(8, room >> 2) ? textWidth(name) : Math.ceil(room * 0.6))
  return `${firstOf(path, room - textWidth(tail))}…${tail}`
}

function firstOf(text: string, width: number): string {
  let used = 0
  let end = 0
  for (const character of text) {
    used += characterWidth(character)
    if (used > width) break
    end += character.length
  }
  return text.slice(0, end)
}

function lastOf(text: string, width: number): string {
  let used = 0
  let start = text.length
  for (const character of Array.from(text).reverse()) {
    used += characterWidth(character)
    if (used > width) break
    start -= character.length
  }
  // A mark that combines stays with its letter.
  while (start < text.length && none.test(text.charAt(start))) start++
  return text.slice(start)
}

/** The same for text that contains colours and links. */
export const paintedWidth = (text: string): number => textWidth(stripVTControlCharacters(text))

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - paintedWidth(text)))
}

/** Rows beside a label, or below it where they would get less than this. */
const leastBeside = 24
const below = '    '

/** Rows beside a label of that width, the further ones below the first. In a narrow window they are below the label. */
export function besideLabel(
  label: string,
  { labelWidth, width }: { labelWidth: number; width: number },
  rows: (room: number) => readonly string[],
): string[] {
  if (width - labelWidth < leastBeside) {
    return [label, ...rows(Math.max(1, width - below.length)).map((row) => below + row)]
  }
  const indent = ' '.repeat(labelWidth)
  return rows(width - labelWidth).map((row, at) => (at === 0 ? padToWidth(label, labelWidth) : indent) + row)
}

/** Words set into lines of a width; a word that is longer than a line is broken. At most `limit` lines. */
export function wrapToWidth(text: string, width: number, limit = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest !== '' && lines.length < limit) {
    if (lines.length === limit - 1) {
      lines.push(cutToWidth(rest, width))
      break
    }
    const end = lineEnd(rest, width)
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return lines
}

function lineEnd(text: string, width: number): number {
  let used = 0
  let end = 0
  let lastSpace = 0
  for (const character of text) {
    used += characterWidth(character)
    if (used > width && end > 0) return character === ' ' ? end : lastSpace || end
    if (character === ' ') lastSpace = end
    end += character.length
  }
  return end
}

const none = /^[\p{Mn}\p{Me}\u200b-\u200d]$/u
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}$/u

function characterWidth(character: string): number {
  if (character < '\u0300') return 1
  if (none.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

const paint = /\x1b\[[0-9;]*m/
/** The prefix of a line: indentation, a bar, a diff mark with its line number, a bullet. */
const lead = /^(?:\s*│ |\s*[-+ ] +\d+ {2}|\s*[!✓✗·] |\s*)/

/**
 * Wraps a line at words, indented below its own beginning. Text after a bar stays after it, and no continuation starts
 * in the first column, where our own lines begin. A word longer than a line stays whole: an address can be copied from
 * it.
 */
export function wrapPainted(line: string, width: number): string {
  if (textWidth(withoutPaint(line)) <= width) return line
  const [begin] = lead.exec(withoutPaint(line)) ?? ['']
  const isBar = begin.endsWith('│ ')
  const follow = isBar ? begin : ' '.repeat(Math.min(Math.max(4, textWidth(begin)), Math.floor(width / 2)))
  const rows = ['']
  let used = 0
  let gap = ''
  for (const piece of line.split(/(\x1b\[[0-9;]*m|\s+)/)) {
    if (piece === '') continue
    if (paint.test(piece)) rows[rows.length - 1] += piece
    else if (piece.trim() === '') gap += piece
    else add(piece)
  }
  return rows.join('\n') + gap

  function add(word: string): void {
    const wide = textWidth(word)
    const isBegin = rows.length === 1 && used < textWidth(begin)
    // Long runs of spaces may hide text, so they are kept as they are.
    const fits = used + gap.length + wide <= width || wide > width - textWidth(follow) || gap.length > 2
    if (fits || isBegin || used === 0) {
      rows[rows.length - 1] += gap + word
      used += gap.length + wide
    } else {
      rows.push(follow + word)
      used = textWidth(follow) + wide
    }
    gap = ''
  }
}

/** Sets lines that are too long into the width, where the terminal itself would break a word. */
export function linesAtWords(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text
  return text
    .split('\n')
    .map((line) => wrapPainted(line, width))
    .join('\n')
}

const withoutPaint = stripVTControlCharacters
