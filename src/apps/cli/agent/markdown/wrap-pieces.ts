import { textWidth, wrapToWidth } from '../../terminal/index.js'
import type { Piece } from './inline-pieces.js'

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
    if (word[0].text.trim() === '') {
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

/** Pieces that belong together because no space stands between them, and the spaces in between. */
function words(pieces: readonly Piece[], width: number): Piece[][] {
  const found: Piece[][] = []
  let isOpen = false
  for (const { text, paint } of pieces) {
    for (const part of text.match(/\s+|\S+/g) ?? []) {
      const isSpace = part.trim() === ''
      const parts = isSpace || textWidth(part) <= width ? [part] : wrapToWidth(part, width)
      for (const [at, own] of parts.entries()) {
        if (isOpen && !isSpace && at === 0 && parts.length === 1) found.at(-1)!.push({ text: own, paint })
        else found.push([{ text: own, paint }])
      }
      isOpen = !isSpace
    }
  }
  return found
}
