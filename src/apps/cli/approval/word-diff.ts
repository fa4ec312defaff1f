import { diffWordsWithSpace } from 'diff'
import { diffParts, type NumberedLine } from '../show/diff-parts.js'
import { type Style, visibleLine, visibleText } from '../terminal/index.js'

/** Lines longer than this are compared as wholes: nobody sees words in them anyway. */
const longest = 2000

/** A unified diff for a person: line numbers, and in a line that was replaced the words that differ. Nothing is cut. */
export function wordDiff(diff: string, style: Style): string[] {
  return diffParts(diff).flatMap((part) => {
    switch (part.kind) {
      case 'replaced':
        return replaced(part.removed, part.added, style)
      case 'kept':
        return [style.faint(drawn(' ', part.line.number, lineText(part.line.text)))]
      case 'gap':
        return [style.faint('   …')]
      case 'remark':
        return [style.warning(visibleLine(part.text))]
      default:
        return part satisfies never
    }
  })
}

function replaced(removed: NumberedLine[], added: NumberedLine[], style: Style): string[] {
  const pairs = removed.length === added.length
  // Where line ends change they are shown, else they are as in the rest of the note.
  const isMixed = new Set([...removed, ...added].map(({ text }) => text.endsWith('\r'))).size > 1
  const shown = isMixed ? visibleText : lineText
  const before = removed.map(({ number, text }, at) =>
    style.removed(drawn('-', number, pairs ? words(text, added[at].text, 'removed', style, shown) : shown(text))),
  )
  const after = added.map(({ number, text }, at) =>
    style.added(drawn('+', number, pairs ? words(removed[at].text, text, 'added', style, shown) : shown(text))),
  )
  return [...before, ...after]
}

/** One side of a replaced line, with what only that side has set apart. */
function words(
  before: string,
  after: string,
  side: 'added' | 'removed',
  style: Style,
  shown: (text: string) => string,
): string {
  const own = side === 'added' ? after : before
  if (before.length + after.length > longest) return shown(own)
  const parts = diffWordsWithSpace(before, after).filter((part) => part[side] || !(part.added || part.removed))
  const joined = parts.map((part) => (part[side] ? style.changed(shown(part.value)) : shown(part.value))).join('')
  // What is hidden may belong to a character of the next part, and marks are not to be taken apart.
  return parts.some(({ value }) => visibleText(value) !== value) ? shown(own) : joined
}

function lineText(text: string): string {
  return visibleText(text.replace(/\r$/, ''))
}

function drawn(mark: string, number: number, text: string): string {
  return `${mark} ${String(number).padStart(4)}  ${text}`
}
