import type { Reading, Source } from '../source.js'

/** What is known about code at the place where a passage is being read. */
export interface CodeState {
  fence?: { mark: string; length: number }
  /** The current line so far; undefined once it is too long to matter. */
  line: string | undefined
  /** Backtick runs of this paragraph that have not found their partner yet. */
  runs: number[]
  /** Everything before this offset is inside a code span. */
  codeUntil: number
  /** Runs ahead in this paragraph, found by looking for a partner: length to offsets, known up to an offset. */
  ahead?: { offsets: Map<number, number[]>; until: number }
}

/** No fence is indented or quoted deeper than this. */
const lineLimit = 1000
/** A paragraph with more lone backticks than this is taken for code as a whole. */
const runsLimit = 2000
/** A fence whose info string is longer is a fence all the same. */
const infoLimit = 4096

const beforeFence = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]*)*$/
const beforeClosingFence = /^[ \t>]*$/
const blankLine = /\n[ \t>\r]{0,1000}\n/

export function codeState(): CodeState {
  return { line: '', runs: [], codeUntil: 0 }
}

/** Follows text that has been read: where its last line begins, and whether a paragraph ended in it. */
export function followText(state: CodeState, text: string): void {
  const lineStart = text.lastIndexOf('\n') + 1
  if (lineStart === 0) {
    if (state.line === undefined) return
    state.line = state.line.length + text.length > lineLimit ? undefined : state.line + text
    return
  }
  if (state.runs.length > 0 && blankLine.test(state.line === undefined ? text : `\n${state.line}${text}`))
    state.runs = []
  state.line = text.length - lineStart > lineLimit ? undefined : text.slice(lineStart)
}

/** Counts the run of one character that stands here and reads it. */
export function* readRun(source: Source, mark: string): Reading<number> {
  const code = mark.charCodeAt(0)
  let length = 0
  do {
    const { window } = source
    const from = source.at
    let at = from
    while (at < window.length && window.charCodeAt(at) === code) at++
    length += at - from
    source.at = at
    if (at < window.length) return length
  } while (yield* source.fill())
  return length
}

/** Takes note of a run of backticks or tildes that has just been read. Its own text is followed by the caller. */
export function* meetRun(source: Source, state: CodeState, mark: string, length: number): Reading<void> {
  const { fence, line } = state
  if (fence) {
    const closes = mark === fence.mark && length >= fence.length && line !== undefined && beforeClosingFence.test(line)
    if (closes && (yield* restOfLineIs(source, /^[ \t\r]*$/))) state.fence = undefined
    return
  }
  if (length >= 3 && line !== undefined && beforeFence.test(line)) {
    if (mark === '~' || (yield* restOfLineIs(source, /^[^`]*$/))) {
      state.fence = { mark, length }
      state.runs = []
      return
    }
  }
  if (mark === '`') noteRun(state, length)
}

/** Takes note of a run of backticks that opens no fence. */
export function noteRun(state: CodeState, length: number): void {
  if (state.runs[0] === length) state.runs = []
  else if (state.runs.length <= runsLimit) state.runs.push(length)
}

/** Whether this place lies in a code span, which takes a look at the rest of the paragraph. */
export function* isInSpan(source: Source, state: CodeState, limit: number): Reading<boolean> {
  if (state.runs.length === 0) return false
  if (state.runs.length > runsLimit) return true
  const here = source.offset
  const { runs } = state
  if (state.ahead === undefined || state.ahead.until <= here) state.ahead = yield* lookAhead(source, runs[0], limit)
  const { offsets } = state.ahead
  const partner = partners(runs)
  for (let index = 0; index < runs.length; ) {
    const closer = partner[index]
    if (closer !== undefined) {
      index = closer + 1
      continue
    }
    const later = firstFrom(offsets.get(runs[index]), here)
    if (later !== undefined) {
      state.codeUntil = later + runs[index]
      state.runs = []
      return true
    }
    index++
  }
  // None of them opens a span: they are characters.
  state.runs = []
  return false
}

/** The first of these ascending offsets that is not before this place. */
function firstFrom(offsets: number[] = [], here: number): number | undefined {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (offsets[middle] < here) low = middle + 1
    else high = middle
  }
  return offsets[low]
}

/** For every run the next one of the same length. */
function partners(runs: number[]): (number | undefined)[] {
  const next = new Map<number, number>()
  const found: (number | undefined)[] = []
  for (let index = runs.length - 1; index >= 0; index--) {
    found[index] = next.get(runs[index])
    next.set(runs[index], index)
  }
  return found
}

/** The backtick runs up to the one of this length, or up to the end of the paragraph. Reads nothing. */
function* lookAhead(source: Source, wanted: number, limit: number): Reading<NonNullable<CodeState['ahead']>> {
  const mark = source.mark()
  const offsets = new Map<number, number[]>()
  const state = codeState()
  state.line = undefined
  // A pretended run, so that the end of the paragraph is noticed.
  state.runs = [0]
  const stop = /[`~\n]/g
  while (source.offset - mark < limit && (yield* source.fill())) {
    stop.lastIndex = source.at
    const found = stop.exec(source.window)
    const end = found?.index ?? source.window.length
    followText(state, source.window.slice(source.at, end))
    source.at = end
    if (!found || source.offset - mark >= limit) continue
    if (found[0] === '\n') {
      followText(state, '\n')
      source.at++
      if (state.runs.length === 0) break
      continue
    }
    const offset = source.offset
    const length = yield* readRun(source, found[0])
    if (length >= 3 && state.line !== undefined && beforeFence.test(state.line)) {
      if (found[0] === '~' || (yield* restOfLineIs(source, /^[^`]*$/))) break
    }
    followText(state, found[0].repeat(Math.min(length, lineLimit + 1)))
    if (found[0] === '~') continue
    const same = offsets.get(length)
    if (same) same.push(offset)
    else offsets.set(length, [offset])
    if (length === wanted) break
  }
  const until = Math.min(source.offset, mark + limit)
  source.rewind(mark)
  return { offsets, until }
}

/** Whether the rest of this line has that form. Reads nothing. */
function* restOfLineIs(source: Source, form: RegExp): Reading<boolean> {
  for (;;) {
    const { window, at } = source
    const lineEnd = window.indexOf('\n', at)
    const rest = window.slice(at, Math.min(at + infoLimit, lineEnd === -1 ? window.length : lineEnd))
    if (!form.test(rest)) return false
    if (lineEnd !== -1 || rest.length === infoLimit) return true
    if (!(yield* source.need(rest.length + 1))) return true
  }
}
