/** A text with one passage apart from the rest, each of which can be rendered on its own. */
interface PassageParts {
  before: string
  passage: string
  after: string
}

/**
 * Splits the text from an offset on around some lines (1-based, inclusive). The passage grows to whole blocks: it begins
 * after and ends before an empty line outside of code.
 */
export function passageParts(text: string, from: number, first?: number, last = first): PassageParts {
  const whole = { before: text.slice(from), passage: '', after: '' }
  if (first === undefined || last === undefined) return whole
  const starts = lineStarts(text)
  const start = starts[first - 1]
  if (start === undefined || last < first || (starts[last] ?? text.length) <= from) return whole
  const breaks = blockStarts(text, from, starts)
  const begin = breaks.filter((at) => at <= Math.max(start, from)).pop() ?? from
  const end = breaks.find((at) => at >= (starts[last] ?? text.length)) ?? text.length
  return { before: text.slice(from, begin), passage: text.slice(begin, end), after: text.slice(end) }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Offsets at which a text can be split: after an empty line, outside of code, before a line without indent. */
function blockStarts(text: string, from: number, lines: readonly number[]): number[] {
  const found = [from]
  let fence: string | undefined
  let isAfterEmpty = false
  for (const [number, start] of lines.entries()) {
    if (start < from) continue
    const line = text.slice(start, (lines[number + 1] ?? text.length + 1) - 1)
    const mark = /^ {0,3}(`{3,}|~{3,}|\$\$)/.exec(line)?.[1]
    if (fence === undefined && start > from && (isHeading(line) || (isAfterEmpty && /^\S/.test(line))))
      found.push(start)
    if (mark !== undefined) {
      if (fence === undefined) fence = isClosedInLine(line, mark) ? undefined : mark
      else if (mark.startsWith(fence)) fence = undefined
    }
    isAfterEmpty = line.trim() === ''
  }
  return found
}

const isHeading = (line: string): boolean => /^#{1,6}[ \t]/.test(line)

/** `$$ x $$` in one line opens nothing. */
const isClosedInLine = (line: string, mark: string): boolean => mark === '$$' && line.trim().slice(2).includes('$$')
