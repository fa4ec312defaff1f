import type { Span } from '../scanned-note.js'

/** A stretch of the text and what is read in its place. */
export interface Edit extends Span {
  words: string
}

/** The text between two offsets with the edits made. Of two that overlap, the one that begins first counts. */
export function editedText(text: string, edits: readonly Edit[]): (start: number, end: number) => string {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end)
  let next = 0
  let done = 0
  /** Lines are asked for in order, so each edit is looked at once. */
  return (start, end) => {
    let words = ''
    let from = Math.max(start, Math.min(done, end))
    while (next < sorted.length && sorted[next].start < end) {
      const edit = sorted[next++]
      if (edit.end <= from) continue
      if (edit.start >= from) words += text.slice(from, edit.start) + edit.words
      from = Math.min(edit.end, end)
      done = edit.end
    }
    return words + text.slice(from, end)
  }
}
