import type { Span } from '../scanned-note.js'

interface Run extends Span {
  mark: string
}

/** The marks of emphasis, strong words, strikethrough and highlights that belong together in one paragraph. */
export function emphasisMarks(text: string, start: number, end: number): Span[] {
  const marks: Span[] = []
  const open = new Map<string, Run[]>()
  for (const { 0: run, index } of text.slice(start, end).matchAll(/(\*+|_+|~~|==)/g)) {
    const closing: Run = { mark: run[0], start: start + index, end: start + index + run.length }
    const before = text[closing.start - 1] ?? ' '
    const after = text[closing.end] ?? ' '
    const isInWord = run[0] === '_' && isWord(before) && isWord(after)
    if (isInWord) continue
    if (closing.start > start && !isSpace(before)) closeWith(closing, open, marks)
    if (closing.start < closing.end && closing.end < end && !isSpace(after)) {
      open.set(closing.mark, [...(open.get(closing.mark) ?? []).slice(-mostOpen), closing])
    }
  }
  return marks
}

/** Deeper than this nobody nests emphasis. */
const mostOpen = 20

function closeWith(closing: Run, open: Map<string, Run[]>, marks: Span[]): void {
  const openers = open.get(closing.mark) ?? []
  while (closing.start < closing.end && openers.length > 0) {
    const opener = openers.at(-1)!
    const length = Math.min(opener.end - opener.start, closing.end - closing.start)
    marks.push({ start: opener.end - length, end: opener.end })
    marks.push({ start: closing.start, end: closing.start + length })
    opener.end -= length
    closing.start += length
    if (opener.start === opener.end) openers.pop()
    // What was opened in between and never closed is no mark.
    for (const [mark, others] of open) {
      if (mark !== closing.mark) {
        open.set(
          mark,
          others.filter(({ start }) => start < opener.start),
        )
      }
    }
  }
}

const isSpace = (character: string): boolean => /\s/.test(character)
const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character)
