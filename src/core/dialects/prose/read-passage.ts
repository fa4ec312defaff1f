import type { Reading, Source } from '../source.js'
import { type CodeState, codeState, followText, isInSpan, meetRun, readRun } from './code-state.js'
import type { MarkerMatch, MarkerTable } from './marker-table.js'

/** A stretch of prose in which code is told from text and markers are looked for. */
export interface Passage<Owner> {
  table: MarkerTable<Owner>
  /** The most text that may be held back. */
  limit: number
  show(text: string): void
  /**
   * A marker outside code: true when it and what belongs to it was read, false when it is text.
   * Without this the passage ends before its first marker.
   */
  meet?(matches: readonly MarkerMatch<Owner>[], place: Place): Reading<boolean>
  /** Whether a marker counts although it stands in code. */
  countsInCode?(match: MarkerMatch<Owner>): Reading<boolean>
}

export interface Place {
  isLineStart: boolean
  /** The character before, when it is on the same line. */
  before: string
}

/** Reads prose up to the marker that ends it, or to the end of the reply. */
export function* readPassage<Owner>(source: Source, passage: Passage<Owner>): Reading<void> {
  const code = codeState()
  const { table } = passage
  const show = (text: string): void => {
    followText(code, text)
    passage.show(text)
  }
  while (yield* source.fill()) {
    if (source.offset < code.codeUntil) {
      show(readTo(source, Math.min(source.window.length, source.at + code.codeUntil - source.offset)))
      continue
    }
    const isOnlyCode = code.fence !== undefined && !passage.countsInCode
    const stops = isOnlyCode ? fenceStops[code.fence!.mark] : table.stops
    stops.lastIndex = source.at
    const found = stops.exec(source.window)
    const stop = found?.index ?? (isOnlyCode ? source.window.length : table.halfWord(source.window, source.at))
    if (stop > source.at) {
      show(readTo(source, stop))
      if (source.at === source.window.length) continue
    }

    const mark = source.window[source.at]
    if (mark === '`' || mark === '~') {
      const length = yield* readRun(source, mark)
      yield* meetRun(source, code, mark, length)
      show(mark.repeat(length))
      continue
    }
    const matches = yield* matchesHere(source, table)
    if (matches.length > 0) {
      const isCode = code.fence !== undefined || (yield* isInSpan(source, code, passage.limit))
      const counts = !isCode || (passage.countsInCode && (yield* passage.countsInCode(matches[0])))
      if (counts) {
        if (!passage.meet) return
        if (yield* passage.meet(matches, placeOf(code))) continue
      }
    }
    show(readTo(source, source.at + 1))
  }
}

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

function placeOf({ line }: CodeState): Place {
  return { isLineStart: line !== undefined && line.trim() === '', before: line?.slice(-1) ?? '' }
}
