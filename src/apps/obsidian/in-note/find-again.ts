export interface Difference {
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

/** The same where words were added, which may be told in several ways: so that they end at the cursor, if they can. */
function additionAt(cursor: number, one: string, other: string): Difference {
  const found = difference(one, other)
  const length = found.insert.length
  const from = cursor - length
  const isIt = found.from === found.to && one.slice(0, from) + other.slice(from, cursor) + one.slice(from) === other
  return isIt ? { from, to: from, insert: other.slice(from, cursor) } : found
}

/** A stretch that was written into a text, and the text as it was then; unknown of one that was opened since. */
export interface Written {
  block: string
  at: number
  text?: string
}

/** Where the stretch stands by now; undefined where somebody has changed it, or where it cannot be told. */
export function findAgain({ block, at, text }: Written, now: string): number | undefined {
  if (text !== undefined) {
    const { from, to, insert } = difference(text, now)
    const moved = to <= at ? at + insert.length - (to - from) : from >= at + block.length ? at : undefined
    if (moved !== undefined && now.startsWith(block, moved)) return moved
  }
  return onlyPlace(block, now)
}

/** Where a place in a text is by now; what stood at the end does so still. */
export function movedPlace(at: number, text: string, now: string): number {
  if (at === text.length) return now.length
  const { from, to, insert } = difference(text, now)
  return to <= at ? at + insert.length - (to - from) : at
}

/** Where a text stands in another that has it once. */
export function onlyPlace(block: string, text: string): number | undefined {
  const found = text.indexOf(block)
  return block === '' || found < 0 || text.indexOf(block, found + 1) >= 0 ? undefined : found
}

/** What is left of the stretch where somebody has typed into it: the parts before and behind their words. */
export function leftOf({ block, at, text = '' }: Written, now: string, cursor: number): { from: number; to: number }[] {
  const { from, to, insert } = additionAt(cursor, text, now)
  const end = at + block.length
  const behind = from + insert.length - to
  return [
    { from: at, to: Math.min(from, end) },
    { from: Math.max(to, at) + behind, to: end + behind },
  ].filter((part) => part.to > part.from)
}
