import { textWidth } from './text-width.js'

const paint = /\x1b\[[0-9;]*m/
/** What stands before a line's text: room, a bar, the mark and number of a line of a diff, a sign. */
const lead = /^(?:\s*│ |\s*[-+ ] +\d+ {2}|\s*[!✓✗·] |\s*)/

/**
 * A line set into a width at its words, below its own beginning. Text behind a bar stays behind it, and no other line
 * begins where lines of ours do. A word that is longer than a line stays whole: an address can be copied from it.
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
    // Many spaces may be there to hide what follows them, so they are shown as they are.
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

const withoutPaint = (text: string): string => text.replace(/\x1b\[[0-9;]*m/g, '')
