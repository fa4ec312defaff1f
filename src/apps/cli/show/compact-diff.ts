import { diffParts, type NumberedLine } from '../../../core/vault/index.js'
import { cutToWidth, visibleLine } from '../terminal/index.js'

/** Characters kept before the first difference of a long line. */
const lead = 24

/**
 * The changed lines of a unified diff with their numbers, without context, one terminal line each: a long line is
 * shown from shortly before the place where it changes. Text that is not a diff comes back as it is.
 */
export function compactDiff(diff: string, width: number): string[] {
  return diffParts(diff).flatMap((part) => {
    if (part.kind === 'replaced') return pairs(part.removed, part.added, width)
    return part.kind === 'remark' ? [cutToWidth(visibleLine(part.text), width)] : []
  })
}

/** Removed lines, then added ones; a line and its replacement are cut at the same place. */
function pairs(removed: NumberedLine[], added: NumberedLine[], width: number): string[] {
  const starts = removed.map(({ text }, at) => startOf(text, added[at]?.text))
  const draw = (mark: string, { number, text }: NumberedLine, start = 0) => {
    const from = start > lead ? `…${text.slice(start - lead)}` : text
    return cutToWidth(`${mark} ${String(number).padStart(4)}  ${visibleLine(from)}`, width)
  }
  return [
    ...removed.map((line, at) => draw('-', line, starts[at])),
    ...added.map((line, at) => draw('+', line, starts[at])),
  ]
}

/** Where two lines begin to differ, never inside a surrogate pair; 0 when there is nothing to compare with. */
function startOf(text: string, other: string | undefined): number {
  if (other === undefined) return 0
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  const cut = at - lead
  return cut > 0 && /[\udc00-\udfff]/.test(text[cut]) ? at + 1 : at
}
