// Reads plain text and reasoning: separates code from text and finds the markers outside code.

import type { Block, Marker } from './dialect.js'
import { type MarkerMatch, type MarkerTable, markerTable } from './markers.js'
import type { ParseGenerator, TextSource } from './source.js'

/** How plain text is read: code is separated from text, and markers are searched for. */
interface PlainTextOptions<Owner> {
  readonly table: MarkerTable<Owner>
  /** The most text that may be held back. */
  limit: number
  show(text: string): void
  /**
   * Called for a marker outside code: true if it was read with everything that belongs to it, false if it is text.
   * Without this function, reading ends before the first marker.
   */
  onMarker?(matches: readonly MarkerMatch<Owner>[], place: LineBefore): ParseGenerator<boolean>
  /** Called at the start of a fence: true if it was read with everything that belongs to it. */
  onFence?(): ParseGenerator<boolean>
  /** True if a marker counts although it stands in code. */
  countsInCode?(match: MarkerMatch<Owner>): ParseGenerator<boolean>
}

/** The line up to a marker; undefined if it is too long to matter. */
export type LineBefore = string | undefined

export const isLineStart = (line: LineBefore): boolean => line !== undefined && line.trim() === ''

/** In a quotation, after `>`. */
export const isQuoted = (line: LineBefore): boolean => line !== undefined && /^[ \t]*>/.test(line)

/** Directly after a colon, which introduces what follows. */
export const isAfterColon = (line: LineBefore): boolean => line !== undefined && /[:：]$/.test(line.trimEnd().slice(-1))

/** Reads plain text up to the marker that ends it, or to the end of the reply. */
export function* readPlainText<Owner>(source: TextSource, passage: PlainTextOptions<Owner>): ParseGenerator<void> {
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
    const known = skipPlainText(source, code, isOnlyCode ? undefined : table)
    if (source.at > from) {
      passage.show(source.window.slice(from, source.at))
      if (source.at === source.window.length) continue
    }

    const mark = source.window.charAt(source.at)
    if (mark === '`' || mark === '~') {
      if (passage.onFence && code.fence === undefined && isLineStart(code.line)) {
        if ((yield* source.sees(mark.repeat(3))) && (yield* passage.onFence())) continue
      }
      const length = yield* readRun(source, mark)
      yield* noteFenceOrRun(source, code, mark, length)
      show(mark.repeat(length))
      continue
    }
    const matches = known ?? (yield* matchesHere(source, table))
    const [first] = matches
    if (first) {
      const isCode = code.fence !== undefined || (yield* isInSpan(source, code, passage.limit))
      const counts = !isCode || (passage.countsInCode && (yield* passage.countsInCode(first)))
      if (counts) {
        if (!passage.onMarker) return
        if (yield* passage.onMarker(matches, code.line)) continue
      }
    }
    show(readTo(source, source.at + 1))
  }
}

/**
 * Skips what is certainly text, up to the end of the window or the next position to check. Without a table, only the
 * fence's own character is searched for. Returns the markers there, if they are certain.
 */
function skipPlainText<Owner>(
  source: TextSource,
  code: CodeState,
  table: MarkerTable<Owner> | undefined,
): readonly MarkerMatch<Owner>[] | undefined {
  const { window } = source
  const stops = table ? table.stops : code.fence?.mark === '~' ? tildes : backticks
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
      // Three may be a fence, and a run may continue after the window.
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
    // Without a table only backticks and tildes stop here, so there is one.
    const { matches, unsure } = table!.match(window, index)
    if (matches.length > 0 || unsure) {
      // A word marker may have begun before: some contain the first character of another.
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

const backticks = /`/g
const tildes = /~/g

function* matchesHere<Owner>(
  source: TextSource,
  table: MarkerTable<Owner>,
): ParseGenerator<readonly MarkerMatch<Owner>[]> {
  for (;;) {
    const { matches, unsure } = table.match(source.window, source.at)
    if (!unsure || !(yield* source.need(source.window.length - source.at + 1))) return matches
  }
}

function readTo(source: TextSource, end: number): string {
  const text = source.window.slice(source.at, end)
  source.at = end
  return text
}

/** The code fences and spans around the current position. */
interface CodeState {
  fence?: { mark: string; length: number } | undefined
  /** The current line so far; undefined once it is too long to matter. */
  line: string | undefined
  /** Backtick runs of this paragraph without a partner so far. */
  runs: number[]
  /** Everything before this offset is inside a code span. */
  codeUntil: number
  /** Runs ahead in this paragraph, found while searching for a partner: length to offsets, known up to an offset. */
  ahead?: { offsets: Map<number, number[]>; until: number }
}

/** No fence is indented or quoted deeper than this. */
const lineLimit = 1000
/** A paragraph with more lone backticks than this counts as code as a whole. */
const runsLimit = 2000
/** A fence whose info string is longer still counts as a fence. */
const infoLimit = 4096

const beforeFence = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]*)*$/
const beforeClosingFence = /^[ \t>]*$/
const blankLine = /\n[ \t>\r]{0,1000}\n/

function codeState(): CodeState {
  return { line: '', runs: [], codeUntil: 0 }
}

/** Updates the state for text that was read: where its last line begins, and whether a paragraph ended in it. */
function followText(state: CodeState, text: string): void {
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

/** Reads the run of one character here and returns its length. */
function* readRun(source: TextSource, mark: string): ParseGenerator<number> {
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

/**
 * Updates the state for a run of backticks or tildes that was just read. The caller passes its text to `followText`.
 */
function* noteFenceOrRun(source: TextSource, state: CodeState, mark: string, length: number): ParseGenerator<void> {
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

/** Updates the state for a run of backticks that opens no fence. */
function noteRun(state: CodeState, length: number): void {
  if (state.runs[0] === length) state.runs = []
  else if (state.runs.length <= runsLimit) state.runs.push(length)
}

/** True if this position is in a code span, for which the rest of the paragraph is searched. */
function* isInSpan(source: TextSource, state: CodeState, limit: number): ParseGenerator<boolean> {
  const { runs } = state
  const [first] = runs
  if (first === undefined) return false
  if (runs.length > runsLimit) return true
  const here = source.offset
  if (state.ahead === undefined || state.ahead.until <= here) state.ahead = yield* lookAhead(source, first, limit)
  const { offsets } = state.ahead
  const partner = partners(runs)
  for (let index = 0; index < runs.length; ) {
    const length = runs[index] ?? 0
    const closer = partner[index]
    if (closer !== undefined) {
      index = closer + 1
      continue
    }
    const later = firstFrom(offsets.get(length), here)
    if (later !== undefined) {
      state.codeUntil = later + length
      state.runs = []
      return true
    }
    index++
  }
  // None of them opens a span: they are plain characters.
  state.runs = []
  return false
}

/** The first of these ascending offsets that is not before this position. */
function firstFrom(offsets: number[] = [], here: number): number | undefined {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? here) < here) low = middle + 1
    else high = middle
  }
  return offsets[low]
}

/** For every run, the index of the next one of the same length. */
function partners(runs: number[]): (number | undefined)[] {
  const next = new Map<number, number>()
  const found: (number | undefined)[] = []
  for (let index = runs.length - 1; index >= 0; index--) {
    const length = runs[index] ?? 0
    found[index] = next.get(length)
    next.set(length, index)
  }
  return found
}

/** Finds the backtick runs up to the one of this length, or up to the end of the paragraph. Reads nothing. */
function* lookAhead(
  source: TextSource,
  wanted: number,
  limit: number,
): ParseGenerator<NonNullable<CodeState['ahead']>> {
  const mark = source.mark()
  const offsets = new Map<number, number[]>()
  const state = codeState()
  state.line = undefined
  // A placeholder run, so that the end of the paragraph is noticed.
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

/** True if the rest of this line matches. Reads nothing. */
function* restOfLineIs(source: TextSource, form: RegExp): ParseGenerator<boolean> {
  for (;;) {
    const { window, at } = source
    const lineEnd = window.indexOf('\n', at)
    const rest = window.slice(at, Math.min(at + infoLimit, lineEnd === -1 ? window.length : lineEnd))
    if (!form.test(rest)) return false
    if (lineEnd !== -1 || rest.length === infoLimit) return true
    if (!(yield* source.need(rest.length + 1))) return true
  }
}

/** How far after a closing tag quoted in code the real one is searched for. */
const closerSearchLimit = 64 * 1024

/** Reads reasoning from after its opening tag to after its closing tag, up to a stop, or to the end. */
export function* readReasoning(
  { source, events, limit }: Pick<Block, 'source' | 'events' | 'limit'>,
  closers: readonly string[],
  stops: readonly string[] = [],
): ParseGenerator<void> {
  const table = closerTable([...closers, ...stops])
  let laterCloser = -1
  events.reasoningStart()
  yield* readPlainText(source, {
    table,
    limit,
    show: events.reasoning,
    // Reasoning may quote its own closing tag. That is code only if the real one is still to come:
    // a lost quote is better than an answer taken for reasoning.
    *countsInCode() {
      if (laterCloser <= source.offset) laterCloser = yield* findCloser(source, table)
      return laterCloser === -1
    },
  })
  const [closer] = table.match(source.window, source.at).matches
  if (closer && !stops.includes(closer.marker.text)) source.at += closer.length
  events.reasoningEnd()
}

const closerTables = new Map<string, MarkerTable<undefined>>()

function closerTable(texts: readonly string[]): MarkerTable<undefined> {
  const key = texts.join('\n')
  const known = closerTables.get(key)
  if (known) return known
  const table = markerTable(texts.map((text) => ({ marker: closingMarker(text), owner: undefined })))
  closerTables.set(key, table)
  return table
}

const closingMarker = (text: string): Marker =>
  /^<\/[\w:]+>$/.test(text) ? { text: text.slice(0, -1), tag: true } : { text }

/** The offset of the next closer after the one here, or -1. Reads nothing. */
function* findCloser(source: TextSource, table: MarkerTable<undefined>): ParseGenerator<number> {
  const mark = source.mark()
  let found = -1
  source.at++
  while (found === -1 && source.offset - mark < closerSearchLimit && (yield* source.fill())) {
    table.stops.lastIndex = source.at
    const stop = table.stops.exec(source.window)
    source.at = stop?.index ?? source.window.length
    if (!stop || source.offset - mark >= closerSearchLimit) continue
    const { matches, unsure } = table.match(source.window, source.at)
    if (matches.length > 0) found = source.offset
    else if (!unsure || !(yield* source.need(source.window.length - source.at + 1))) source.at++
  }
  source.rewind(mark)
  return found
}

/** Tags around reasoning, besides harmony's channels. */
interface ReasoningTags {
  opener: string
  closer: string
}

export const reasoningTags: readonly ReasoningTags[] = [
  { opener: '<think>', closer: '</think>' },
  { opener: '<thinking>', closer: '</thinking>' },
  { opener: '<seed:think>', closer: '</seed:think>' },
  { opener: '<mm:think>', closer: '</mm:think>' },
  { opener: '<think:opensource>', closer: '</think:opensource>' },
  { opener: '<|open|>think<|sep|>', closer: '<|close|>think<|sep|>' },
  { opener: '◁think▷', closer: '◁/think▷' },
  { opener: '[THINK]', closer: '[/THINK]' },
  { opener: '<|START_THINKING|>', closer: '<|END_THINKING|>' },
  { opener: '<|channel>thought', closer: '<channel|>' },
]
