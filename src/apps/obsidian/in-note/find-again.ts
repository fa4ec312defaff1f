interface Difference {
  from: number
  to: number
  insert: string
}

/** The one span that makes a text of another. */
export function difference(one: string, other: string): Difference {
  const most = Math.min(one.length, other.length)
  let from = 0
  while (from < most && one[from] === other[from]) from++
  let end = 0
  while (end < most - from && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  return { from, to: one.length - end, insert: other.slice(from, other.length - end) }
}

/** The added text; with several possible positions, the one that ends at the cursor. */
function additionAt(cursor: number, one: string, other: string): Difference {
  const found = difference(one, other)
  const length = found.insert.length
  const from = cursor - length
  const isIt = found.from === found.to && one.slice(0, from) + other.slice(from, cursor) + one.slice(from) === other
  return isIt ? { from, to: from, insert: other.slice(from, cursor) } : found
}

/** A stretch that was written into a text, and the text as it was then; unknown of one that was opened since. */
export interface WrittenBlock {
  block: string
  at: number
  text?: string | undefined
}

/** Current position of the answer's text; undefined if it was edited or is ambiguous. */
export function findAgain({ block, at, text }: WrittenBlock, now: string): number | undefined {
  if (text !== undefined) {
    const { from, to, insert } = difference(text, now)
    const moved = to <= at ? at + insert.length - (to - from) : from >= at + block.length ? at : undefined
    if (moved !== undefined && now.startsWith(block, moved)) return moved
  }
  return uniquePosition(block, now)
}

/** Maps a position to the changed text; the end of the text stays the end. */
export function movedPosition(at: number, text: string, now: string): number {
  if (at === text.length) return now.length
  const { from, to, insert } = difference(text, now)
  return to <= at ? at + insert.length - (to - from) : at
}

/** Position of a text that occurs exactly once in another; undefined otherwise. */
export function uniquePosition(block: string, text: string): number | undefined {
  const found = text.indexOf(block)
  return block === '' || found < 0 || text.indexOf(block, found + 1) >= 0 ? undefined : found
}

/** The remaining parts of the answer if the user has typed into it: before and after the typed text. */
export function remainingParts(
  { block, at, text = '' }: WrittenBlock,
  now: string,
  cursor: number,
): { from: number; to: number }[] {
  const { from, to, insert } = additionAt(cursor, text, now)
  const end = at + block.length
  const behind = from + insert.length - to
  return [
    { from: at, to: Math.min(from, end) },
    { from: Math.max(to, at) + behind, to: end + behind },
  ].filter((part) => part.to > part.from)
}
