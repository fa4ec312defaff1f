import {
  ASTERISK,
  BACKTICK,
  CLOSE_PAREN,
  COLON,
  DOT,
  GREATER,
  HASH,
  HYPHEN,
  isBlank,
  isDigit,
  PIPE,
  PLUS,
} from './characters.js'

/** Level of the ATX heading that begins at `start`, or 0. */
export function atxLevel(text: string, start: number, end: number): number {
  const after = runEnd(text, start, Math.min(end, start + 7), HASH)
  const level = after - start
  return level <= 6 && (after === end || isBlank(text.charCodeAt(after))) ? level : 0
}

/** Length of the code fence that opens at `start`, or 0. */
export function fenceLength(text: string, start: number, end: number): number {
  const code = text.charCodeAt(start)
  const after = runEnd(text, start, end, code)
  if (after - start < 3) return 0
  if (code === BACKTICK) {
    for (let position = after; position < end; position++) if (text.charCodeAt(position) === BACKTICK) return 0
  }
  return after - start
}

export function closesFence(text: string, start: number, end: number, code: number, size: number): boolean {
  if (start >= end || text.charCodeAt(start) !== code) return false
  const after = runEnd(text, start, end, code)
  return after - start >= size && blanksEnd(text, after, end) === end
}

/** A line of `=` or `-` alone. */
export function isUnderline(text: string, start: number, end: number): boolean {
  return blanksEnd(text, runEnd(text, start, end, text.charCodeAt(start)), end) === end
}

/** A thematic break: three or more of one of `-*_`, with any blanks between. */
export function isRule(text: string, start: number, end: number): boolean {
  const mark = text.charCodeAt(start)
  let count = 0
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === mark) count++
    else if (!isBlank(code)) return false
  }
  return count >= 3
}

/**
 * Length of the list marker at `start` (`-`, `12.`), or 0. Only a bullet with text, or a `1` with text, interrupts a
 * paragraph.
 */
export function listMarkerLength(text: string, start: number, end: number, interrupts: boolean): number {
  const code = text.charCodeAt(start)
  let after = start + 1
  if (isDigit(code)) {
    while (after < end && after - start < 9 && isDigit(text.charCodeAt(after))) after++
    if (interrupts && !(after === start + 1 && code === 49)) return 0
    const mark = text.charCodeAt(after)
    if (after >= end || (mark !== DOT && mark !== CLOSE_PAREN)) return 0
    after++
  } else if (code !== HYPHEN && code !== PLUS && code !== ASTERISK) return 0
  if (after < end && !isBlank(text.charCodeAt(after))) return 0
  if (interrupts && blanksEnd(text, after, end) === end) return 0
  return after - start
}

/** A table's second row: `|`, `-`, `:` and blanks, with at least one `|` and one `-`. */
export function isTableBorder(text: string, start: number, end: number): boolean {
  let hasPipe = false
  let hasHyphen = false
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code === PIPE) hasPipe = true
    else if (code === HYPHEN) hasHyphen = true
    else if (code !== COLON && !isBlank(code)) return false
  }
  return hasPipe && hasHyphen
}

const rawTags = ['script', 'style', 'pre', 'textarea']

export function opensRawHtml(text: string, start: number, end: number): boolean {
  const name = text.slice(start + 1, start + 10).toLowerCase()
  for (const tag of rawTags) {
    if (!name.startsWith(tag)) continue
    const after = start + 1 + tag.length
    if (after >= end || text.charCodeAt(after) === GREATER || isBlank(text.charCodeAt(after))) return true
  }
  return false
}

export function rawHtmlEnds(text: string, start: number, end: number): boolean {
  return /<\/(?:script|style|pre|textarea)>/i.test(text.slice(start, end))
}

function runEnd(text: string, start: number, end: number, code: number): number {
  let position = start
  while (position < end && text.charCodeAt(position) === code) position++
  return position
}

function blanksEnd(text: string, start: number, end: number): number {
  let position = start
  while (position < end && isBlank(text.charCodeAt(position))) position++
  return position
}
