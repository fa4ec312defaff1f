import type { Paint, Style } from '../../terminal/index.js'

/** A stretch of text with the way it is painted. */
export interface Piece {
  text: string
  paint: Paint
}

/** Beyond this a line is no prose, and looking for marks in it would take long. */
const longestLine = 5000
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
    const found = marks.has(line[at]) ? markAt(line, at) : undefined
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
    const inner = kind === 'code' ? match[2] : match[1]
    return { kind, length: match[0].length, inner, ...(kind === 'link' && { address: match[2] }) }
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
