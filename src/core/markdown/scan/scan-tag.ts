import { HYPHEN, isAsciiLetter, isDigit, isWidePunctuation, SLASH, UNDERSCORE } from './characters.js'

/** Whether a `#` after this character can begin a tag: after space and most punctuation, not inside a word or an address. */
export function mayPrecedeTag(code: number): boolean {
  if (code > 127) return isWidePunctuation(code)
  return precedes[code] === 1
}

const precedes = new Uint8Array(128)
for (const character of '\t\n\r !"\'()*,.;<>?[]{|}~') precedes[character.charCodeAt(0)] = 1

/** Where the tag name at `start` ends, or -1 when it is empty or a number. */
export function tagNameEnd(text: string, start: number, end: number): number {
  let position = start
  let isNumber = true
  for (; position < end; position++) {
    const code = text.charCodeAt(position)
    if (!isTagPart(code)) break
    if (!isDigit(code) && code !== SLASH) isNumber = false
  }
  while (position > start && text.charCodeAt(position - 1) === SLASH) position--
  return isNumber ? -1 : position
}

function isTagPart(code: number): boolean {
  if (code > 127) return !isWidePunctuation(code)
  return isAsciiLetter(code) || isDigit(code) || code === HYPHEN || code === UNDERSCORE || code === SLASH
}
