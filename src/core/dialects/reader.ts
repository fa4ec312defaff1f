// Reads a reply in every dialect: finds the markers and lets the dialects read what follows them.

import { Failure } from '../errors.js'
import { argumentsInText } from './calls.js'
import { type Block, type Dialect, type Marker, type ReaderTool, toolFinder } from './dialect.js'
import { type EventQueue, eventQueue, type ParsedReply, type ReaderEvent, replyBuilder } from './events.js'
import { type DialectName, dialects } from './families/index.js'
import { type MarkerTable, markerTable } from './markers.js'
import {
  isAfterColon,
  isLineStart,
  isQuoted,
  type LineBefore,
  readPlainText,
  readReasoning,
  reasoningTags,
} from './plain-text.js'
import { type ParseGenerator, TextSource } from './source.js'
import { type ReadInDialect, wholeReply } from './whole-reply.js'

/** The tools and rules that a reader needs. */
export interface ReaderOptions {
  /** The tools that may be called. Without any, calls are text. */
  tools: readonly ReaderTool[]
  /** `any`: every dialect with a marker; bare forms only if their dialect is chosen. */
  format?: 'any' | DialectName
  /**
   * `also`: a reply that is nothing but a tool call also counts without a marker, bare or in a fence. `only`: only
   * such a reply is read, all other text passes unchanged.
   */
  wholeReplies?: 'also' | 'only'
  /** With `wholeReplies`: true if the model repeats a text from its prompt, which is no call. */
  isQuotation?: (text: string) => boolean
  /** The prompt has already opened the think block. */
  startsInReasoning?: boolean
  /** Maximum characters of one call, and of text held back. Default: 32 Mi. */
  limit?: number | undefined
}

/** Reads a reply piece by piece, and reports text and calls. */
export interface Reader {
  push(text: string): ReaderEvent[]
  end(): ReaderEvent[]
}

const defaultLimit = 32 * 1024 * 1024

/** Reads an assistant's reply as it arrives. The result is the same however the reply is cut into pieces. */
export function openReader(options: ReaderOptions): Reader {
  const source = new TextSource()
  const events = eventQueue()
  const block = {
    source,
    events,
    find: toolFinder(options.tools),
    offersTools: options.tools.length > 0,
    limit: options.limit ?? defaultLimit,
    frames: new Set<string>(),
  }
  const reading = readStream(block, options)
  reading.next()
  let isEnded = false
  return {
    push(text) {
      if (isEnded) throw new Error('The reply has ended')
      if (text !== '') reading.next(text)
      return events.flush()
    },
    end() {
      if (isEnded) return []
      isEnded = true
      if (!reading.next(undefined).done) throw new Error('A reader asked for more than the whole reply')
      events.end()
      return events.flush()
    },
  }
}

/** The names to choose a dialect by, in order. */
export const dialectNames: readonly DialectName[] = [...new Set(dialects.flatMap(({ names }) => [...names]))]

/** Parses a dialect's name as users write it; `any` stands for all. */
export function dialectName(text: string): 'any' | DialectName {
  const name = text.trim().toLowerCase().replaceAll('-', '_')
  if (name === 'any') return name
  const known = dialectNames.find((one) => one === name)
  if (known !== undefined) return known
  throw new Failure('invalid-input', `Unknown dialect: ${text}`, { hint: `Use any, ${dialectNames.join(', ')}.` })
}

type Owner = Dialect | { opener: string; closer: string } | { orphan: string } | 'whole-reply'

function* readStream(parts: Omit<Block, 'commit'>, options: ReaderOptions): ParseGenerator<void> {
  const { source, events, limit } = parts
  const attempt = dialectAttempts(parts)
  const whole = wholeReplies(parts, options)
  const { openings, table, withBare } = tablesFor(options)
  if (options.startsInReasoning) yield* readOpenReasoning(parts)
  else yield* readOpening(parts, openings, attempt)
  if (whole) yield* whole.attempt()
  yield* readPlainText(source, {
    get table() {
      return whole?.isOpen() ? withBare : table
    },
    limit,
    show: events.text,
    ...(whole && { onFence: whole.attempt }),
    *onMarker(matches, place) {
      for (const { marker, owner, length } of matches) {
        if (owner === 'whole-reply') {
          if (whole && (isLineStart(place) || isAfterColon(place)) && (yield* whole.attempt())) return true
          continue
        }
        if ('orphan' in owner) {
          if (events.hasCalls()) continue
          source.at += length
          events.turnTextIntoReasoning()
          return true
        }
        if ('opener' in owner) {
          source.at += length
          yield* readReasoning(parts, [owner.closer])
          if (whole) yield* whole.attempt()
          return true
        }
        if (isInPlace(marker, place, events.hasText()) && (yield* attempt(owner, marker, length))) return true
      }
      return false
    },
  })
}

/** Tries to read the rest of the reply as calls only, as long as no more than a lead-in was shown. */
function wholeReplies(parts: Omit<Block, 'commit'>, options: ReaderOptions) {
  const { tools, wholeReplies: wanted } = options
  if (wanted === undefined || tools.length === 0) return undefined
  const readAs: ReadInDialect = (text, format) => readText(text, { tools, format, limit: options.limit })
  const names = tools.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  const expected = { names, withMarked: wanted === 'only' }
  const reply = wholeReply({ ...parts, commit() {} }, expected, { readAs, isQuotation: options.isQuotation })
  const isOpen = (): boolean => !parts.events.hasCalls() && reply.mayFollow(parts.events.beginning())
  return {
    isOpen,
    *attempt(this: void): ParseGenerator<boolean> {
      return isOpen() && (yield* reply.attempt(parts.events.beginning()))
    },
  }
}

/**
 * Lets a dialect try to read the text after a marker. One block serves all attempts: many end as soon as they begin.
 */
function dialectAttempts(parts: Omit<Block, 'commit'>) {
  const { source } = parts
  let isCommitted = false
  const commit = (): void => {
    isCommitted = true
  }
  const events = holdMalformedCalls(parts.events)
  const block = { ...parts, events, commit }
  return function* (dialect: Dialect, marker: Marker, length: number): ParseGenerator<boolean> {
    const mark = source.mark()
    isCommitted = false
    source.at += length
    const isRead = yield* dialect.read(block, marker)
    if (isRead) {
      if (events.isHolding()) events.release(source.since(mark))
      source.release()
    } else if (isCommitted) throw new Error(`The dialect ${dialect.names[0]} withdrew a call`)
    else source.rewind(mark)
    return isRead
  }
}

type CallEvent = Parameters<EventQueue['call']>[0]

/** Holds back the calls from the first malformed one on, until the block was read and its text is known. */
function holdMalformedCalls(events: EventQueue) {
  let held: CallEvent[] = []
  return {
    ...events,
    call(event: CallEvent): void {
      if (held.length > 0 || (event.type === 'error' && event.kind === 'malformed')) held.push(event)
      else events.call(event)
    },
    isHolding: () => held.length > 0,
    release(text: string): void {
      let written = text.trim()
      for (const event of held) {
        if (event.type === 'error' && event.kind === 'malformed') {
          if (event.argumentsText === '') event.argumentsText = argumentsInText(text, event.name)
          event.written = written
          written = ''
        }
        events.call(event)
      }
      held = []
    },
  }
}

/**
 * A word marker that counts only at the start of a reply. It is checked only there, because searching for words is
 * slow.
 */
const isOpening = ({ text, place }: Marker): boolean => place === 'reply-start' && /^\w/.test(text)

function* readOpening(
  { source }: Omit<Block, 'commit'>,
  openings: readonly OwnedMarker[],
  attempt: ReturnType<typeof dialectAttempts>,
): ParseGenerator<void> {
  if (openings.length === 0) return
  const start = source.mark()
  yield* source.skipSpace()
  for (const { marker, owner } of openings) {
    if (typeof owner === 'string' || !('names' in owner) || !(yield* source.sees(marker.text))) continue
    if (!(yield* attempt(owner, marker, marker.text.length))) continue
    source.release()
    return
  }
  source.rewind(start)
}

function isInPlace(marker: Marker, place: LineBefore, hasText: boolean): boolean {
  if (isQuoted(place) || (marker.word && /\w$/.test(place?.slice(-1) ?? ''))) return false
  if (marker.place === 'line-start') return isLineStart(place)
  return marker.place !== 'reply-start' || !hasText
}

/** Reads the block that the prompt opened. A second opening tag of the model is skipped. */
function* readOpenReasoning(parts: Omit<Block, 'commit'>): ParseGenerator<void> {
  const { source } = parts
  const mark = source.mark()
  yield* source.skipSpace()
  let isOpened = false
  for (const { opener } of reasoningTags) isOpened ||= yield* source.take(opener)
  if (isOpened) source.release()
  else source.rewind(mark)
  yield* readReasoning(
    parts,
    reasoningTags.map(({ closer }) => closer),
  )
}

interface OwnedMarker {
  marker: Marker
  owner: Owner
}

interface Tables {
  openings: OwnedMarker[]
  table: MarkerTable<Owner>
  /** Used while the reply may still be a call without a marker. */
  withBare: MarkerTable<Owner>
}

const tableCache = new Map<string, Tables>()

/**
 * The markers to search for, cached by options: there are few combinations, and building a table takes longer than
 * reading a short reply.
 */
function tablesFor(options: ReaderOptions): Tables {
  const key = `${options.format ?? 'any'} ${options.tools.length > 0} ${options.wholeReplies}`
  const known = tableCache.get(key)
  if (known) return known
  const markers = markersFor(options)
  const within = markers.filter(({ marker }) => !isOpening(marker))
  const table = markerTable<Owner>(within)
  const withBare = options.wholeReplies ? markerTable<Owner>([...within, ...bareMarkers(options)]) : table
  const tables = { openings: markers.filter(({ marker }) => isOpening(marker)), table, withBare }
  tableCache.set(key, tables)
  return tables
}

function markersFor({ tools, format = 'any', wholeReplies }: ReaderOptions): OwnedMarker[] {
  if (wholeReplies === 'only') return []
  const tags = reasoningTags.flatMap(({ opener, closer }) => [
    { marker: tagMarker(opener), owner: { opener, closer } },
    { marker: tagMarker(closer), owner: { orphan: closer } },
  ])
  const all: readonly Dialect[] = dialects
  const chosen = all.filter(({ names }) => format === 'any' || names.includes(format))
  const usable = tools.length > 0 ? chosen : chosen.filter(({ isFrame }) => isFrame)
  const calls = usable.flatMap((dialect) =>
    dialect.markers.filter(({ bare }) => !bare || format !== 'any').map((marker) => ({ marker, owner: dialect })),
  )
  return [...tags, ...calls]
}

/** Markers where a whole-reply call may begin after a lead-in. */
function bareMarkers({ wholeReplies }: ReaderOptions): OwnedMarker[] {
  return [...(wholeReplies === 'only' ? ['{', '[', '<', ']<]'] : ['{', '['])].map((text) => ({
    marker: { text },
    owner: 'whole-reply',
  }))
}

const tagMarker = (text: string): Marker =>
  /^<\/?[\w:]+>$/.test(text) ? { text: text.slice(0, -1), tag: true } : { text }

/** Reads all pieces of a reply. */
export function readReply(pieces: Iterable<string>, options: ReaderOptions): ParsedReply {
  const reader = openReader(options)
  const reply = replyBuilder()
  for (const piece of pieces) for (const event of reader.push(piece)) reply.add(event)
  for (const event of reader.end()) reply.add(event)
  return reply.finish()
}

/** Reads a complete text; `problem` is the fault of its first malformed call. */
function readText(text: string, options: ReaderOptions): ParsedReply & { problem?: string } {
  const reader = openReader(options)
  const reply = replyBuilder()
  let problem: string | undefined
  for (const event of [...reader.push(text), ...reader.end()]) {
    reply.add(event)
    if (event.type === 'error' && event.kind === 'malformed') problem ??= event.problem
  }
  return { ...reply.finish(), ...(problem !== undefined && { problem }) }
}
