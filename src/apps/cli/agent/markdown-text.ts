import type { Paint, Style } from '../terminal/terminal.js'
import { textWidth, wrapToWidth } from '../terminal/text-width.js'

/** A stretch of text with the way it is painted. */
export interface Piece {
  text: string
  paint: Paint
}

/** Beyond this a line is no prose, and looking for marks in it would take long. */
export const longestLine = 5000
const deepest = 4

const plain: Paint = (text) => text

/** The marks of one line taken out and shown as paint: bold, emphasis, code, links. A wikilink keeps its brackets. */
export function inlinePieces(line: string, style: Style, paint: Paint = plain, depth = 0): Piece[] {
  if (line.length > longestLine || depth > deepest) return [{ text: line, paint }]
  const pieces: Piece[] = []
  let from = 0
  let at = 0
  const flush = () => {
    if (at > from) pieces.push({ text: line.slice(from, at), paint })
  }
  while (at < line.length) {
    const found = marks.has(line.charAt(at)) ? markAt(line, at) : undefined
    if (found === undefined) {
      at++
      continue
    }
    flush()
    pieces.push(...drawn(found, style, paint, depth))
    at += found.length
    from = at
  }
  flush()
  return pieces
}

interface Mark {
  kind: 'code' | 'strong' | 'emphasis' | 'faint' | 'wikilink' | 'link' | 'escape'
  length: number
  inner: string
  address?: string
}

const marks = new Set('`*_~[\\')

const patterns: [Mark['kind'], RegExp][] = [
  ['escape', /\\([!-/:-@[-`{-~])/y],
  ['code', /(`+)(?!`)(.*?[^`])\1(?!`)/y],
  ['strong', /\*\*(?=[^\s*])(.*?[^\s*]\**)\*\*/y],
  ['strong', /(?<![\p{L}\p{N}_])__(?=[^\s_])(.*?[^\s_])__(?![\p{L}\p{N}_])/uy],
  ['emphasis', /\*(?=[^\s*])([^*]*?[^\s*])\*(?!\*)/y],
  ['emphasis', /(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]*?[^\s_])_(?![\p{L}\p{N}_])/uy],
  ['faint', /~~(?=\S)(.*?\S)~~/y],
  ['wikilink', /(\[\[[^\][]+\]\])/y],
  ['link', /\[([^\][]+)\]\(([^\s()]+)\)/y],
]

function markAt(line: string, at: number): Mark | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const match = pattern.exec(line)
    if (match === null) continue
    const [whole, first = '', second = ''] = match
    const inner = kind === 'code' ? second : first
    return { kind, length: whole.length, inner, ...(kind === 'link' && { address: second }) }
  }
  return undefined
}

function drawn({ kind, inner, address = '' }: Mark, style: Style, paint: Paint, depth: number): Piece[] {
  const painted =
    (more: Paint): Paint =>
    (text) =>
      paint(more(text))
  switch (kind) {
    case 'escape':
      return [{ text: inner, paint }]
    case 'code':
      return [{ text: inner, paint: painted(style.path) }]
    case 'wikilink':
      return [{ text: inner, paint: painted(style.path) }]
    case 'link': {
      const words = inlinePieces(inner, style, painted(style.path), depth + 1)
      return address === inner ? words : [...words, { text: ` (${address})`, paint: painted(style.faint) }]
    }
    default:
      return inlinePieces(inner, style, painted(style[kind]), depth + 1)
  }
}

/** Painted text set into lines of a width, each painted on its own. Spaces at a line's end are dropped. */
export function wrapPieces(pieces: readonly Piece[], width: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  let space: { text: string; shown: string } | undefined
  const close = () => {
    lines.push(line)
    line = ''
    used = 0
  }
  for (const word of words(pieces, width)) {
    const wide = word.reduce((sum, { text }) => sum + textWidth(text), 0)
    if (word[0]?.text.trim() === '') {
      space = {
        text: word.map(({ text }) => text).join(''),
        shown: word.map(({ text, paint }) => paint(text)).join(''),
      }
      continue
    }
    if (used > 0 && used + textWidth(space?.text ?? '') + wide > width) close()
    else if (space !== undefined && used > 0) {
      line += space.shown
      used += textWidth(space.text)
    }
    space = undefined
    line += word.map(({ text, paint }) => paint(text)).join('')
    used += wide
  }
  close()
  return lines
}

/** Groups pieces without spaces between them into words. */
function words(pieces: readonly Piece[], width: number): Piece[][] {
  const found: Piece[][] = []
  let isOpen = false
  for (const { text, paint } of pieces) {
    for (const part of text.match(/\s+|\S+/g) ?? []) {
      const isSpace = part.trim() === ''
      const parts = isSpace || textWidth(part) <= width ? [part] : wrapToWidth(part, width)
      for (const [at, own] of parts.entries()) {
        // `!`: isOpen is true only after the first piece.
        if (isOpen && !isSpace && at === 0 && parts.length === 1) found.at(-1)!.push({ text: own, paint })
        else found.push([{ text: own, paint }])
      }
      isOpen = !isSpace
    }
  }
  return found
}
