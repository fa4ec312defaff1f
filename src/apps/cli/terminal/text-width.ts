/** Columns a text takes in a terminal: wide East Asian characters and emoji take two, combining marks none. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** The text cut to a width, with `…` where something was left off. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let used = 0
  let end = 0
  for (const character of text) {
    used += characterWidth(character)
    if (used > width - 1) break
    end += character.length
  }
  return `${text.slice(0, end).trimEnd()}…`
}

/** A path cut to a width in its middle: where it begins and what it names are what a person looks for. */
export function cutPath(path: string, width: number): string {
  if (textWidth(path) <= width) return path
  if (!path.includes('/')) return cutToWidth(path, width)
  const name = path.slice(path.lastIndexOf('/'))
  const room = width - 1
  // The whole name where it leaves some room for what is before it, else as much of its end as of the beginning.
  const tail = lastOf(path, textWidth(name) <= room - Math.min(8, room >> 2) ? textWidth(name) : Math.ceil(room * 0.6))
  return `${firstOf(path, room - textWidth(tail))}…${tail}`
}

function firstOf(text: string, width: number): string {
  let used = 0
  let end = 0
  for (const character of text) {
    used += characterWidth(character)
    if (used > width) break
    end += character.length
  }
  return text.slice(0, end)
}

function lastOf(text: string, width: number): string {
  let used = 0
  let start = text.length
  for (const character of Array.from(text).reverse()) {
    used += characterWidth(character)
    if (used > width) break
    start -= character.length
  }
  // A mark that combines stays with its letter.
  while (start < text.length && none.test(text[start])) start++
  return text.slice(start)
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

/** Words set into lines of a width; a word that is longer than a line is broken. At most `limit` lines. */
export function wrapToWidth(text: string, width: number, limit = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest !== '' && lines.length < limit) {
    if (lines.length === limit - 1) {
      lines.push(cutToWidth(rest, width))
      break
    }
    const end = lineEnd(rest, width)
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return lines
}

function lineEnd(text: string, width: number): number {
  let used = 0
  let end = 0
  let lastSpace = 0
  for (const character of text) {
    used += characterWidth(character)
    if (used > width && end > 0) return character === ' ' ? end : lastSpace || end
    if (character === ' ') lastSpace = end
    end += character.length
  }
  return end
}

const none = /^[\p{Mn}\p{Me}\u200b-\u200d]$/u
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}$/u

function characterWidth(character: string): number {
  if (character < '\u0300') return 1
  if (none.test(character)) return 0
  return wide.test(character) ? 2 : 1
}
