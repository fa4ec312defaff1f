import { textWidth } from '../../../terminal/index.js'
import { type Buffer, characters } from './edit-buffer.js'

export interface Layout {
  rows: string[]
  /** Where the cursor stands in them, from 0. */
  row: number
  column: number
}

/** Sets what is written into rows of a width, the first behind `mark`, the others below its text. */
export function layOut({ text, cursor }: Buffer, mark: string, width: number): Layout {
  const indent = ' '.repeat(textWidth(mark))
  const rows = [mark]
  let used = indent.length
  let offset = 0
  let place = { row: 0, column: used }
  const breakRow = () => {
    rows.push(indent)
    used = indent.length
  }
  for (const character of characters(text)) {
    if (offset === cursor) place = { row: rows.length - 1, column: used }
    offset += character.length
    if (character === '\n') {
      breakRow()
      continue
    }
    const shown = character === '\t' ? '    ' : character
    const wide = textWidth(shown)
    // The last column stays free: a full row would make some terminals begin another by themselves.
    if (used + wide > width - 1) {
      breakRow()
      if (offset - character.length === cursor) place = { row: rows.length - 1, column: used }
    }
    rows[rows.length - 1] += shown
    used += wide
  }
  if (cursor >= offset) place = { row: rows.length - 1, column: used }
  return { rows, ...place }
}
