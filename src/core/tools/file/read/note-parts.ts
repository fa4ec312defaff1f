import { Failure } from '../../../errors.js'
import { charactersFor } from '../../../text/index.js'
import type { NotePath } from '../../../vault/index.js'

/** A stretch of a note's text: half-open offsets, and the lines it covers. */
export interface Stretch {
  start: number
  end: number
  /** 1-based, inclusive. */
  lines: [number, number]
}

export interface NotePart extends Stretch {
  part: number
  parts: number
}

const mostLines = 200
const mostCharacters = 20_000

/** One of the parts in which a stretch is read: whole lines, and pieces of a line only where that one is too long. */
export function notePart(path: NotePath, text: string, whole: Stretch, part: number, room?: number): NotePart {
  const most = Math.min(mostCharacters, room === undefined ? mostCharacters : charactersFor(text, room))
  let found: Stretch | undefined
  let parts = 0
  for (let start = whole.start, line = whole.lines[0]; start < whole.end || parts === 0; ) {
    const piece = pieceFrom(text, { start, end: whole.end, most }, line)
    parts++
    if (parts === part) found = piece
    start = piece.end
    line = text.charCodeAt(piece.end - 1) === lineFeed ? piece.lines[1] + 1 : piece.lines[1]
  }
  if (found === undefined) throw noSuchPart(path, part, parts)
  return { ...found, part, parts }
}

export function noSuchPart(path: NotePath, part: number, parts: number): Failure {
  const has = parts === 1 ? 'only one part' : `${parts} parts`
  return new Failure('invalid-input', `There is no part ${part} of ${path}: it has ${has}.`, {
    hint: 'Parts are counted from 1.',
  })
}

/** How many lines a text has; what follows a final line break is none. */
export function countLines(text: string): number {
  let lines = 0
  for (let at = 0; at < text.length; lines++) at = lineEnd(text, at, text.length)
  return Math.max(1, lines)
}

/** Where a line begins, 1-based; the end of the text when there are not so many. */
export function lineStart(text: string, line: number): number {
  let at = 0
  for (let number = 1; number < line && at < text.length; number++) at = lineEnd(text, at, text.length)
  return at
}

const lineFeed = 10

function pieceFrom(
  text: string,
  { start, end: limit, most }: { start: number; end: number; most: number },
  firstLine: number,
): Stretch {
  let end = start
  let lines = 0
  while (end < limit && lines < mostLines) {
    const next = lineEnd(text, end, limit)
    if (next - start > most) break
    end = next
    lines++
  }
  if (end === start && start < limit)
    return { start, end: cutAt(text, start, limit, most), lines: [firstLine, firstLine] }
  return { start, end, lines: [firstLine, firstLine + Math.max(1, lines) - 1] }
}

function lineEnd(text: string, from: number, limit: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 || at >= limit ? limit : at + 1
}

/** A cut through a line, never through a character. */
function cutAt(text: string, start: number, limit: number, most: number): number {
  const at = Math.min(start + most, limit)
  const code = text.charCodeAt(at)
  return at < limit && code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}
