import { diffWordsWithSpace } from 'diff'
import { type Style, visibleLine } from '../terminal/index.js'

/** Lines longer than this are compared as wholes: nobody sees words in them anyway. */
const longest = 2000

/** A unified diff for a person: line numbers, and in a line that was replaced the words that differ. Nothing is cut. */
export function wordDiff(diff: string, style: Style): string[] {
  const shown: string[] = []
  let [oldLine, newLine] = [0, 0]
  let [removed, added]: [Numbered[], Numbered[]] = [[], []]
  const flush = () => {
    shown.push(...replaced(removed, added, style))
    removed = []
    added = []
  }
  for (const line of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (hunk !== null) {
      flush()
      if (oldLine + newLine > 0) shown.push(style.faint('   …'))
      ;[oldLine, newLine] = [Number(hunk[1]), Number(hunk[2])]
    } else if (oldLine + newLine === 0) {
      if (line !== '' && !/^(Index: |=+$|--- |\+\+\+ )/.test(line)) shown.push(style.faint(visibleLine(line)))
    } else if (line.startsWith('-')) removed.push({ number: oldLine++, text: line.slice(1) })
    else if (line.startsWith('+')) added.push({ number: newLine++, text: line.slice(1) })
    else if (line.startsWith(' ')) {
      flush()
      shown.push(style.faint(drawn(' ', newLine++, visibleLine(line.slice(1)))))
      oldLine++
    } else if (line !== '' && !line.startsWith('\\')) {
      flush()
      shown.push(style.warning(visibleLine(line)))
    }
  }
  flush()
  return shown
}

interface Numbered {
  number: number
  text: string
}

function replaced(removed: Numbered[], added: Numbered[], style: Style): string[] {
  const pairs = removed.length === added.length
  const before = removed.map(({ number, text }, at) =>
    style.removed(drawn('-', number, pairs ? words(text, added[at].text, 'removed', style) : visibleLine(text))),
  )
  const after = added.map(({ number, text }, at) =>
    style.added(drawn('+', number, pairs ? words(removed[at].text, text, 'added', style) : visibleLine(text))),
  )
  return [...before, ...after]
}

/** One side of a replaced line, with what only that side has set apart. */
function words(before: string, after: string, side: 'added' | 'removed', style: Style): string {
  const own = side === 'added' ? after : before
  if (before.length + after.length > longest) return visibleLine(own)
  const parts = diffWordsWithSpace(before, after).filter((part) => part[side] || !(part.added || part.removed))
  return parts.map((part) => (part[side] ? style.changed(visibleLine(part.value)) : visibleLine(part.value))).join('')
}

function drawn(mark: string, number: number, text: string): string {
  return `${mark} ${String(number).padStart(4)}  ${text}`
}
