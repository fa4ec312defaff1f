import { visibleText } from '../../text/index.js'

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

const isLonger = (text: string, line: string, most: number): boolean => line.length > most || text.length > most * 4
