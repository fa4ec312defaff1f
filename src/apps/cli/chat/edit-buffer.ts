import type { Key } from '../terminal/keyboard.js'

/** The text being edited and the cursor position. */
export interface Buffer {
  text: string
  /** Offset into the text, never inside a character a user sees as one. */
  cursor: number
}

export const emptyBuffer: Buffer = { text: '', cursor: 0 }

export const bufferOf = (text: string): Buffer => ({ text, cursor: text.length })

/** Applies a key to the buffer; undefined for a key that does not edit. */
export function edit({ text, cursor }: Buffer, key: Key): Buffer | undefined {
  const before = text.slice(0, cursor)
  const after = text.slice(cursor)
  const at = (place: number): Buffer => ({ text, cursor: place })
  const removed = (from: number, to: number): Buffer => ({ text: text.slice(0, from) + text.slice(to), cursor: from })
  if (key.text !== '') return { text: before + key.text + after, cursor: cursor + key.text.length }
  const name = key.ctrl ? `ctrl-${key.name}` : key.alt ? `alt-${key.name}` : key.name
  switch (name) {
    case 'newline':
      return { text: `${before}\n${after}`, cursor: cursor + 1 }
    case 'backspace':
    case 'ctrl-h':
      return removed(previous(text, cursor), cursor)
    case 'delete':
    case 'ctrl-d':
      return removed(cursor, next(text, cursor))
    case 'left':
    case 'ctrl-b':
      return at(previous(text, cursor))
    case 'right':
    case 'ctrl-f':
      return at(next(text, cursor))
    case 'ctrl-left':
    case 'alt-left':
    case 'alt-b':
      return at(wordStart(before))
    case 'ctrl-right':
    case 'alt-right':
    case 'alt-f':
      return at(cursor + (/^\s*\S*/.exec(after)?.[0].length ?? 0))
    case 'home':
    case 'ctrl-a':
      return at(lineStart(text, cursor))
    case 'end':
    case 'ctrl-e':
      return at(lineEnd(text, cursor))
    case 'ctrl-u':
      return removed(lineStart(text, cursor), cursor)
    case 'ctrl-k':
      return removed(cursor, text[cursor] === '\n' ? cursor + 1 : lineEnd(text, cursor))
    case 'ctrl-w':
    case 'alt-backspace':
      return removed(wordStart(before), cursor)
    default:
      return undefined
  }
}

/** The line above or below, as near to the same column as there is; undefined when there is none. */
export function moveLine({ text, cursor }: Buffer, by: -1 | 1): Buffer | undefined {
  const start = lineStart(text, cursor)
  const column = cursor - start
  const from = by === -1 ? (start === 0 ? undefined : lineStart(text, start - 1)) : nextLine(text, cursor)
  if (from === undefined) return undefined
  const place = Math.min(from + column, lineEnd(text, from))
  // The same column may lie inside a character of the other line.
  return { text, cursor: wholeCharacter(text, from, place) }
}

function wholeCharacter(text: string, lineFrom: number, place: number): number {
  let at = lineFrom
  for (const character of characters(text.slice(lineFrom, lineEnd(text, lineFrom)))) {
    if (at + character.length > place) break
    at += character.length
  }
  return at
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Splits a text into user-perceived characters. */
export function characters(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function previous(text: string, cursor: number): number {
  return cursor - (characters(text.slice(lineStart(text, cursor - 1), cursor)).at(-1)?.length ?? 0)
}

function next(text: string, cursor: number): number {
  return cursor + (characters(text.slice(cursor, cursor + 64))[0]?.length ?? 0)
}

function lineStart(text: string, cursor: number): number {
  return cursor <= 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1
}

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor)
  return end === -1 ? text.length : end
}

function nextLine(text: string, cursor: number): number | undefined {
  const end = text.indexOf('\n', cursor)
  return end === -1 ? undefined : end + 1
}

const wordStart = (before: string): number => before.length - (/\S*\s*$/.exec(before)?.[0].length ?? 0)
