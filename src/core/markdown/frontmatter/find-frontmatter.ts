// Apart from read-frontmatter.ts, which loads the parser of properties: a search does without it.

import type { Span } from '../scanned-note.js'

interface FrontmatterFence extends Span {
  /** The YAML between the fences, from the line after the first to the start of the closing line. */
  yaml: Span
  /** The line break after the opening fence. */
  lineBreak: '\n' | '\r\n'
}

/** Finds a note's frontmatter: only at the very start, between lines of exactly `---` (or `...` to close). */
export function findFrontmatter(text: string): FrontmatterFence | undefined {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  if (!text.startsWith('---', start)) return undefined
  const openEnd = fenceEnd(text, start)
  if (openEnd < 0 || openEnd === text.length) return undefined
  const yamlStart = openEnd + 1
  for (let line = yamlStart; line < text.length; ) {
    if (text.startsWith('---', line) || text.startsWith('...', line)) {
      const end = fenceEnd(text, line)
      if (end >= 0) {
        const lineBreak = text.charCodeAt(openEnd - 1) === 13 ? '\r\n' : '\n'
        return { start, end: Math.min(end + 1, text.length), yaml: { start: yamlStart, end: line }, lineBreak }
      }
    }
    const lineFeed = text.indexOf('\n', line)
    if (lineFeed < 0) return undefined
    line = lineFeed + 1
  }
  return undefined
}

/** Offset of the line break (or the text's end) after a three-character fence, or -1 when there is more on its line. */
function fenceEnd(text: string, start: number): number {
  let position = start + 3
  for (; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === 10) return position
    if (code !== 32 && code !== 9 && code !== 13) return -1
  }
  return position
}
