import { type Hunk, lineHunks } from '../line-hunks.js'

/** Keep what stands there now, or take the change back there too. */
export type Settled = 'keep-mine' | 'take-back'

/** A place where later edits touch the very lines that are to be taken back. */
export interface LineConflict {
  /** 1-based, in the text as it is now. */
  line: number
  /** What stands there now, and what stood there before the change. Lines with their line breaks. */
  mine: string[]
  earlier: string[]
}

export interface MergedLines {
  conflicts: LineConflict[]
  /** The merged text, with a choice for each conflict. */
  text(choices: readonly Settled[]): string
}

/**
 * Takes a change back out of a text that was edited since: from `after` to `before`, applied to `now`. Lines that only
 * one side has touched are as that side has them; insertions beside such lines overlap with nothing. Line breaks are
 * settled line by line in the same way, so that neither CRLF nor a missing last one makes two lines differ.
 */
export function mergeLines(versions: { before: string; after: string; now: string }): MergedLines {
  const [before, after, now] = [versions.before, versions.after, versions.now].map(splitLines)
  const [back, mine] = [rangesOf(after, before), rangesOf(after, now)]
  const parts: (Line[] | { mine: Line[]; earlier: Line[] })[] = []
  const conflicts: LineConflict[] = []
  /** How far each text has been read. */
  let [inBefore, inAfter, inNow] = [0, 0, 0]
  const keepUntil = (end: number) => {
    const kept: Line[] = []
    while (inAfter < end) kept.push(settledBreak(before[inBefore++], after[inAfter++], now[inNow++]))
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
        return choices[conflict++] === 'take-back' ? part.earlier : part.mine
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
  const [old, fresh] = [after, other].map((lines) => lines.map(({ text }) => text))
  return lineHunks(old, fresh).map(({ oldLine, removed, added }: Hunk) => {
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
    // What is inserted before a line comes before what happens to that line.
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
  // Two insertions at one place: nobody can say which comes first.
  if (region.start === region.end && range.start === range.end) return true
  // Neighbours that bring the same line: who put it back by hand would have it twice.
  const others = region[side === 'back' ? 'mine' : 'back'].flatMap(({ added }) => added)
  return range.added.some((line) => line.trim() !== '' && others.includes(line))
}

function growth(ranges: Range[]): number {
  return ranges.reduce((sum, { start, end, added }) => sum + added.length - (end - start), 0)
}

function settledBreak(before: Line, after: Line, now: Line): Line {
  return { text: now.text, lineBreak: now.lineBreak === after.lineBreak ? before.lineBreak : now.lineBreak }
}

function isSame(one: Line[], other: Line[]): boolean {
  return one.length === other.length && one.every(({ text }, at) => text === other[at].text)
}

function wholeLine({ text, lineBreak }: Line): string {
  return text + lineBreak
}
