import type { Reading, Source } from '../source.js'
import { type CodeState, codeState, followText, isInSpan, meetRun, noteRun, readRun } from './code-state.js'
import type { MarkerMatch, MarkerTable } from './marker-table.js'

/** A stretch of prose in which code is told from text and markers are looked for. */
export interface Passage<Owner> {
  readonly table: MarkerTable<Owner>
  /** The most text that may be held back. */
  limit: number
  show(text: string): void
  /**
   * A marker outside code: true when it and what belongs to it was read, false when it is text.
   * Without this the passage ends before its first marker.
   */
  meet?(matches: readonly MarkerMatch<Owner>[], place: Place): Reading<boolean>
  /** The start of a fence: true when it and what belongs to it was read. */
  meetFence?(): Reading<boolean>
  /** Whether a marker counts although it stands in code. */
  countsInCode?(match: MarkerMatch<Owner>): Reading<boolean>
}

/** Where a marker stands: its line up to it; undefined when that is too long to matter. */
export type Place = string | undefined

export const isLineStart = (line: Place): boolean => line !== undefined && line.trim() === ''

/** In a quotation, behind `>`. */
export const isQuoted = (line: Place): boolean => line !== undefined && /^[ \t]*>/.test(line)

/** Right behind a colon: what follows was announced. */
export const isAnnounced = (line: Place): boolean => line !== undefined && /[:：]$/.test(line.trimEnd().slice(-1))

/** Reads prose up to the marker that ends it, or to the end of the reply. */
export function* readPassage<Owner>(source: Source, passage: Passage<Owner>): Reading<void> {
  const code = codeState()
  const show = (text: string): void => {
    followText(code, text)
    passage.show(text)
  }
  while (yield* source.fill()) {
    if (source.offset < code.codeUntil) {
      show(readTo(source, Math.min(source.window.length, source.at + code.codeUntil - source.offset)))
      continue
    }
    const { table } = passage
    const isOnlyCode = code.fence !== undefined && !passage.countsInCode
    const from = source.at
    const known = passText(source, code, isOnlyCode ? undefined : table)
    if (source.at > from) {
      passage.show(source.window.slice(from, source.at))
      if (source.at === source.window.length) continue
    }

    const mark = source.window[source.at]
    if (mark === '`' || mark === '~') {
      if (passage.meetFence && code.fence === undefined && isLineStart(code.line)) {
        if ((yield* source.sees(mark.repeat(3))) && (yield* passage.meetFence())) continue
      }
      const length = yield* readRun(source, mark)
      yield* meetRun(source, code, mark, length)
      show(mark.repeat(length))
      continue
    }
    const matches = known ?? (yield* matchesHere(source, table))
    if (matches.length > 0) {
      const isCode = code.fence !== undefined || (yield* isInSpan(source, code, passage.limit))
      const counts = !isCode || (passage.countsInCode && (yield* passage.countsInCode(matches[0])))
      if (counts) {
        if (!passage.meet) return
        if (yield* passage.meet(matches, code.line)) continue
      }
    }
    show(readTo(source, source.at + 1))
  }
}

/**
 * Passes over text as far as it is surely text, up to the end of the window or the next place that needs a closer look.
 * Without a table only the fence's own character is looked for. Gives the markers there, where they are certain.
 */
function passText<Owner>(
  source: Source,
  code: CodeState,
  table: MarkerTable<Owner> | undefined,
): readonly MarkerMatch<Owner>[] | undefined {
  const { window } = source
  const stops = table ? table.stops : fenceStops[code.fence!.mark]
  let followed = source.at
  let stop = -1
  let certain: readonly MarkerMatch<Owner>[] | undefined
  stops.lastIndex = source.at
  for (let found = stops.exec(window); found; found = stops.exec(window)) {
    const { index } = found
    const mark = window.charCodeAt(index)
    if (mark === backtick || mark === tilde) {
      let end = index + 1
      while (end < window.length && window.charCodeAt(end) === mark) end++
      // Three may be a fence, and a run may go on behind the window.
      if (end - index >= 3 || end === window.length) {
        stop = index
        break
      }
      if (mark === backtick && !code.fence) {
        followText(code, window.slice(followed, index))
        followed = index
        noteRun(code, end - index)
      }
      stops.lastIndex = end
      continue
    }
    const { matches, unsure } = table!.match(window, index)
    if (matches.length > 0 || unsure) {
      // A word may have begun before: some have the first character of others in them.
      stop = unsure ? Math.min(index, table!.halfWord(window, source.at)) : index
      if (!unsure) certain = matches
      break
    }
  }
  if (stop === -1) stop = table ? table.halfWord(window, source.at) : window.length
  followText(code, window.slice(followed, stop))
  source.at = stop
  return certain
}

const backtick = 96
const tilde = 126

const fenceStops: Record<string, RegExp> = { '`': /`/g, '~': /~/g }

function* matchesHere<Owner>(source: Source, table: MarkerTable<Owner>): Reading<readonly MarkerMatch<Owner>[]> {
  for (;;) {
    const { matches, unsure } = table.match(source.window, source.at)
    if (!unsure || !(yield* source.need(source.window.length - source.at + 1))) return matches
  }
}

function readTo(source: Source, end: number): string {
  const text = source.window.slice(source.at, end)
  source.at = end
  return text
}
