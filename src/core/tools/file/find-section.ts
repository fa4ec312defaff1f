import { Failure } from '../../errors.js'
import { type Heading, scanNote } from '../../markdown/index.js'
import { shortText } from '../answer/index.js'

/** A heading's part of a note: from its line to the next heading of its level or above. */
export interface Section {
  heading: Heading
  /** Offset after the last line with text, before the blank lines that part it from what follows. */
  lastText: number
  end: number
}

/** Finds the section under a heading, by its text (`Goals`, `## Goals`) or its way down (`Plan#Goals`). */
export function findSection(path: string, text: string, wanted: string): Section {
  const { headings } = scanNote(text)
  const found = matching(headings, wanted)
  if (found.length === 0) throw missing(path, headings, wanted)
  if (found.length > 1) {
    const lines = found.slice(0, 10).map(({ line }) => line)
    const more = found.length > lines.length ? ', …' : ''
    throw new Failure(
      'ambiguous',
      `${found.length} headings of ${path} are called ${shortText(wanted)} (lines ${lines.join(', ')}${more}).`,
      {
        hint: 'Name the headings above it too, like "Plan#Goals".',
        data: { lines },
      },
    )
  }
  const [heading] = found
  const next = headings.find(({ start, level }) => start > heading.start && level <= heading.level)
  const end = next === undefined ? text.length : lineStart(text, next.start)
  return { heading, end, lastText: withoutBlankLines(text, lineEnd(text, heading.end), end) }
}

function matching(headings: readonly Heading[], wanted: string): Heading[] {
  const whole = headings.filter(isCalled(wanted))
  if (whole.length > 0 || !wanted.includes('#')) return whole
  const way = wanted
    .split('#')
    .filter((part) => part.trim() !== '')
    .map(isCalled)
  const own = way.pop()
  const above: Heading[] = []
  return headings.filter((heading) => {
    while (above.length > 0 && above[above.length - 1].level >= heading.level) above.pop()
    const isMeant = own?.(heading) === true && leadsDown(way, above)
    above.push(heading)
    return isMeant
  })
}

/** Whether the headings above one are called so, from the top down; others may stand between. */
function leadsDown(way: readonly ((heading: Heading) => boolean)[], above: readonly Heading[]): boolean {
  let left = way.length
  for (let at = above.length - 1; at >= 0 && left > 0; at--) if (way[left - 1](above[at])) left--
  return left === 0
}

function isCalled(wanted: string): (heading: Heading) => boolean {
  const marks = /^\s*(#{1,6})\s+/.exec(wanted)
  const name = folded(marks === null ? wanted : wanted.slice(marks[0].length))
  return ({ text, level }) => (marks === null || marks[1].length === level) && folded(text) === name
}

function folded(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
}

function missing(path: string, headings: readonly Heading[], wanted: string): Failure {
  const named = headings.slice(0, 20).map(({ text }) => shortText(text, 100))
  const more = headings.length > named.length ? `, and ${headings.length - named.length} more` : ''
  return new Failure('not-found', `${path} has no heading ${JSON.stringify(shortText(wanted))}.`, {
    hint: headings.length === 0 ? 'It has no headings; leave heading out.' : `It has: ${named.join(', ')}${more}.`,
  })
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

function lineEnd(text: string, offset: number): number {
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
