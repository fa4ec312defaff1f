import { type Hunk, lineHunks } from './hunks.js'

// `!` is used on lines of a match: the three texts have the same number of lines there.

/** Keep the current text, or revert the change there too. */
export type ConflictChoice = 'keep-mine' | 'take-back'

/** A place where later edits touch the lines to be reverted. */
export interface LineConflict {
  /** 1-based, in the text as it is now. */
  line: number
  /** Lines now in the note, and lines before the change. With their line breaks. */
  mine: string[]
  earlier: string[]
}

interface MergedLines {
  conflicts: LineConflict[]
  /** The merged text, with a choice for each conflict. `both` keeps the current lines and adds the earlier ones after. */
  text(choices: readonly (ConflictChoice | 'both')[]): string
}

/**
 * Takes a change back out of a text that was edited since: from `after` to `before`, applied to `now`. Lines that only
 * one side has touched are as that side has them; insertions beside such lines overlap with nothing. Line breaks are
 * merged line by line in the same way, so that neither CRLF nor a missing last one makes two lines differ.
 */
export function mergeLines(versions: { before: string; after: string; now: string }): MergedLines {
  const before = splitLines(versions.before)
  const after = splitLines(versions.after)
  const now = splitLines(versions.now)
  const [back, mine] = [rangesOf(after, before), rangesOf(after, now)]
  const parts: (Line[] | { mine: Line[]; earlier: Line[] })[] = []
  const conflicts: LineConflict[] = []
  /** How far each text has been read. */
  let [inBefore, inAfter, inNow] = [0, 0, 0]
  const keepUntil = (end: number) => {
    const kept: Line[] = []
    while (inAfter < end) kept.push(mergedBreak(before[inBefore++]!, after[inAfter++]!, now[inNow++]!))
    parts.push(kept)
  }
  for (const region of regionsOf(back, mine)) {
    keepUntil(region.start)
    const length = region.end - region.start
    const earlier = before.slice(inBefore, inBefore + length + growth(region.back))
    const current = now.slice(inNow, inNow + length + growth(region.mine))
    if (region.mine.length === 0) parts.push(earlier)
    else if (region.back.length === 0 || isSame(earlier, current)) parts.push(current)
    else {
      conflicts.push({ line: inNow + 1, mine: current.map(wholeLine), earlier: earlier.map(wholeLine) })
      parts.push({ mine: current, earlier })
    }
    inBefore += earlier.length
    inAfter = region.end
    inNow += current.length
  }
  keepUntil(after.length)
  const usual = [...now, ...after, ...before].find(({ lineBreak }) => lineBreak !== '')?.lineBreak ?? '\n'
  return {
    conflicts,
    text(choices) {
      let conflict = 0
      const lines = parts.flatMap((part) => {
        if (Array.isArray(part)) return part
        const choice = choices[conflict++]
        if (choice === 'both') return [...part.mine, ...part.earlier]
        return choice === 'take-back' ? part.earlier : part.mine
      })
      return lines.map((line, at) => line.text + (line.lineBreak || (at < lines.length - 1 ? usual : ''))).join('')
    },
  }
}

interface Line {
  text: string
  /** '' only where a text ends without one. */
  lineBreak: string
}

function splitLines(text: string): Line[] {
  return (text.match(/[^\n]*\n|[^\n]+/g) ?? []).map((line) => {
    const lineBreak = line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : ''
    return { text: line.slice(0, line.length - lineBreak.length), lineBreak }
  })
}

/** Some lines of `after`, from `start` to before `end`, in place of which the other text has `added`. */
interface Range {
  start: number
  end: number
  added: string[]
}

function rangesOf(after: Line[], other: Line[]): Range[] {
  const texts = (lines: Line[]) => lines.map(({ text }) => text)
  return lineHunks(texts(after), texts(other)).map(({ oldLine, removed, added }: Hunk) => {
    return { start: oldLine - 1, end: oldLine - 1 + removed.length, added }
  })
}

interface Region {
  start: number
  end: number
  back: Range[]
  mine: Range[]
}

/** Ranges of both sides, top to bottom, those that overlap together. */
function regionsOf(back: Range[], mine: Range[]): Region[] {
  const all = [
    ...back.map((range) => ({ range, side: 'back' as const })),
    ...mine.map((range) => ({ range, side: 'mine' as const })),
    // An insertion before a line comes before a change of that line.
  ].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end)
  const regions: Region[] = []
  for (const { range, side } of all) {
    const last = regions.at(-1)
    const region: Region =
      last !== undefined && overlaps(last, range, side)
        ? last
        : { start: range.start, end: range.end, back: [], mine: [] }
    if (region !== last) regions.push(region)
    region[side].push(range)
    region.end = Math.max(region.end, range.end)
  }
  return regions
}

function overlaps(region: Region, range: Range, side: 'back' | 'mine'): boolean {
  if (range.start < region.end && region.start < range.end) return true
  if (range.start > region.end) return false
  // Two insertions at one place have no defined order.
  if (region.start === region.end && range.start === range.end) return true
  // Neighbours that add the same line: a user who restored it by hand would have it twice.
  const others = region[side === 'back' ? 'mine' : 'back'].flatMap(({ added }) => added)
  return range.added.some((line) => line.trim() !== '' && others.includes(line))
}

function growth(ranges: Range[]): number {
  return ranges.reduce((sum, { start, end, added }) => sum + added.length - (end - start), 0)
}

function mergedBreak(before: Line, after: Line, now: Line): Line {
  return { text: now.text, lineBreak: now.lineBreak === after.lineBreak ? before.lineBreak : now.lineBreak }
}

function isSame(one: Line[], other: Line[]): boolean {
  return one.length === other.length && one.every(({ text }, at) => text === other[at]!.text)
}

function wholeLine({ text, lineBreak }: Line): string {
  return text + lineBreak
}
