import { diffArrays } from 'diff'

/** A run of lines that a change replaces. Lines keep their line breaks, so that nothing about them is lost. */
export interface Hunk {
  /** 1-based line before which or at which it stands, in the text before and in the text after. */
  oldLine: number
  newLine: number
  removed: string[]
  added: string[]
}

/**
 * What turns some lines into others, from top to bottom; the same lines always give the same hunks, and between two
 * hunks there is always a line that stays. Where both are too different to compare, all of it is one hunk.
 */
export function lineHunks(old: readonly string[], fresh: readonly string[]): Hunk[] {
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  const most = Math.min(old.length, fresh.length) - start
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++
  return compared(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end), start + 1)
}

/** Beyond this many changed lines a comparison takes long and helps nobody. */
const mostChanges = 2000

function compared(old: string[], fresh: string[], line: number): Hunk[] {
  if (old.length === 0 && fresh.length === 0) return []
  const parts = diffArrays(old, fresh, { maxEditLength: mostChanges })
  if (parts === undefined) return [{ oldLine: line, newLine: line, removed: old, added: fresh }]
  const hunks: Hunk[] = []
  let hunk: Hunk | undefined
  let [oldLine, newLine] = [line, line]
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      hunk = undefined
      oldLine += value.length
      newLine += value.length
      continue
    }
    if (hunk === undefined) hunks.push((hunk = { oldLine, newLine, removed: [], added: [] }))
    if (removed) {
      hunk.removed = hunk.removed.concat(value)
      oldLine += value.length
    } else {
      hunk.added = hunk.added.concat(value)
      newLine += value.length
    }
  }
  return hunks
}
