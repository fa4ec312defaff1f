import { Failure } from '../../../errors.js'
import type { NotePath } from '../../../vault/index.js'
import { shortText } from '../../answer/index.js'
import { findSection } from '../find-section.js'
import { findBlock } from './find-block.js'
import { countLines, lineStart, type Stretch } from './note-parts.js'

export interface Selection {
  heading?: string
  block?: string
  /** `10-20`, `10-` or `10`. */
  lines?: string
}

/** What of a note was asked for: the lines under a heading, a block, some lines, or all of it. */
export function selectStretch(path: NotePath, text: string, selection: Selection): Stretch {
  const { heading, block, lines } = selection
  if (heading !== undefined) return underHeading(path, text, heading)
  if (block !== undefined) return findBlock(path, text, block)
  if (lines !== undefined) return linesOf(path, text, lines)
  return { start: 0, end: text.length, lines: [1, countLines(text)] }
}

/** At most one way to select can be meant. */
export function checkSelection(selection: Selection): void {
  const given = (['heading', 'block', 'lines'] as const).filter((name) => selection[name] !== undefined)
  if (given.length < 2) return
  throw new Failure('invalid-input', `Tool read_note validation failed: ${given.join(', ')}: only one can be given`)
}

function underHeading(path: NotePath, text: string, wanted: string): Stretch {
  const { heading, end } = findSection(path, text, wanted)
  const start = heading.start === 0 ? 0 : text.lastIndexOf('\n', heading.start - 1) + 1
  return { start, end, lines: [heading.line, heading.line + countLines(text.slice(start, end)) - 1] }
}

function linesOf(path: NotePath, text: string, wanted: string): Stretch {
  const read = /^\s*L?(\d{1,9})\s*(?:([-–—:,]|\.\.)\s*L?(\d{1,9})?\s*)?$/i.exec(wanted)
  const first = read ? Number(read[1]) : 0
  const total = countLines(text)
  const last = read?.[2] === undefined ? first : Math.min(Number(read[3] ?? total), total)
  if (read === null || first === 0 || (read[3] !== undefined && Number(read[3]) < first)) {
    throw new Failure('invalid-input', `Not a range of lines: ${shortText(wanted, 50)}`, {
      hint: 'Write it as "10-20"; lines are counted from 1.',
    })
  }
  if (first > total) {
    throw new Failure('invalid-input', `${path} has no line ${first}: it has ${total} lines.`)
  }
  return { start: lineStart(text, first), end: lineStart(text, last + 1), lines: [first, last] }
}
