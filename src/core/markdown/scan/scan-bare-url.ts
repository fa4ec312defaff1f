import { CLOSE_PAREN, isAsciiLetter, isDigit, isWidePunctuation, OPEN_PAREN } from './characters.js'

/** Where `http` or `https` begins before the `://` at `colon`, or -1. */
export function bareUrlStart(text: string, from: number, colon: number): number {
  if (!text.startsWith('//', colon + 1)) return -1
  const start = text.charCodeAt(colon - 1) === 115 ? colon - 5 : colon - 4
  if (start < from || !/^https?$/.test(text.slice(start, colon))) return -1
  if (start > from) {
    const before = text.charCodeAt(start - 1)
    if (isAsciiLetter(before) || isDigit(before)) return -1
  }
  return start
}

/** Where a URL written without brackets ends: before space, quotes, brackets, and punctuation that closes a sentence. */
export function bareUrlEnd(text: string, start: number, end: number): number {
  let position = start
  let depth = 0
  for (; position < end; position++) {
    const code = text.charCodeAt(position)
    if (code <= 32 || endsUrl(code) || (code > 127 && isWidePunctuation(code))) break
    if (code === OPEN_PAREN) depth++
    else if (code === CLOSE_PAREN && --depth < 0) break
  }
  while (position > start && trails(text.charCodeAt(position - 1))) position--
  return position
}

function endsUrl(code: number): boolean {
  // " < > [ \ ] ^ ` { | }
  return (
    code === 34 ||
    code === 60 ||
    code === 62 ||
    (code >= 91 && code <= 94) ||
    code === 96 ||
    (code >= 123 && code < 126)
  )
}

function trails(code: number): boolean {
  // ! ' * , . : ; ? _ ~
  return (
    code === 33 ||
    code === 39 ||
    code === 42 ||
    code === 44 ||
    code === 46 ||
    code === 58 ||
    code === 59 ||
    code === 63 ||
    code === 95 ||
    code === 126
  )
}
