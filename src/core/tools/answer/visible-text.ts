export interface VisibleText {
  text: string
  /** How many characters would not have been seen. */
  hidden: number
}

/**
 * Text in which nothing is hidden that a model reads and a person does not see: characters of Unicode's tag block
 * become escapes. The flags of England, Scotland and Wales are spelled with them and stay.
 */
export function visibleText(text: string): VisibleText {
  if (!mayHide.test(text)) return { text, hidden: 0 }
  let hidden = 0
  const shown = text.replace(tagCharacters, (found) => {
    if (found.length > 2) return found
    hidden++
    return `\\u{${found.codePointAt(0)?.toString(16)}}`
  })
  return { text: shown, hidden }
}

/** A title, a heading, a link's words: one visible line of bounded length. */
export function shortText(text: string, most = 200): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return visibleText(isLonger(text, line, most) ? `${cutText(line, most)}…` : line).text
}

/** At most so many UTF-16 units from the start, without half a character at the end. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const code = text.charCodeAt(most - 1)
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? most - 1 : most)
}

// The block's characters all begin with this surrogate; looking for one unit is quick in a large note.
const mayHide = /\udb40/
const tagCharacters =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|[\u{e0000}-\u{e007f}]/gu

const isLonger = (text: string, line: string, most: number): boolean => line.length > most || text.length > most * 4
