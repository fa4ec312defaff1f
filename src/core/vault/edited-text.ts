import { mergeLines } from './merge-lines.js'

const byteOrderMark = '\ufeff'

/** A note's text as an editor shows it: without a byte order mark, and with LF as its line break. */
export function editableText(text: string): string {
  return (text.startsWith(byteOrderMark) ? text.slice(1) : text).replaceAll('\r\n', '\n')
}

/**
 * The original with the edits that were made to its editable text. Lines that were not edited keep their bytes, also
 * where a note has both kinds of line breaks. New lines get the more frequent one.
 */
export function withEdits(original: string, edited: string): string {
  const mark = original.startsWith(byteOrderMark) ? byteOrderMark : ''
  const body = original.slice(mark.length)
  const lineBreak = usualLineBreak(body)
  const written = (text: string) => editableText(text).replaceAll('\n', lineBreak)
  const merged = mergeLines({ before: written(edited), after: written(body), now: body })
  const text = merged.conflicts.length === 0 ? merged.text([]) : written(edited)
  return mark + text
}

function usualLineBreak(text: string): '\n' | '\r\n' {
  const paired = text.split('\r\n').length - 1
  return paired * 2 > text.split('\n').length - 1 ? '\r\n' : '\n'
}

/** Two edits of the same text. */
interface MergedEdits {
  /** Number of places where both changed the same lines. Both versions are in the text there, the saved one first. */
  conflicts: number
  text: string
}

/** Merges what a user typed with what was saved meanwhile. Nothing of either is left out. */
export function mergeEdits({ base, typed, saved }: { base: string; typed: string; saved: string }): MergedEdits {
  const merged = mergeLines({ before: typed, after: base, now: saved })
  return { conflicts: merged.conflicts.length, text: merged.text(merged.conflicts.map(() => 'both')) }
}
