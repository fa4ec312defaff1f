import { Failure } from '../errors.js'
import type { Block, Dialect, Marker } from './dialect.js'
import { eventQueue } from './event-queue.js'
import { type DialectName, dialectNames, dialects } from './families/index.js'
import { type MarkerTable, markerTable } from './prose/marker-table.js'
import { isAnnounced, isLineStart, isQuoted, type Place, readPassage } from './prose/read-passage.js'
import { readReasoning } from './prose/read-reasoning.js'
import type { ReaderEvent } from './reader-event.js'
import { type ReaderTool, toolFinder } from './reader-tool.js'
import { reasoningTags } from './reasoning-tags.js'
import { type Reply, replyBuilder } from './reply-builder.js'
import { type Reading, Source } from './source.js'
import type { ReadAs } from './whole-reply/calls-in-text.js'
import { wholeReply } from './whole-reply/whole-reply.js'

export interface ReaderOptions {
  /** The tools that may be called. With none, calls are text. */
  tools: readonly ReaderTool[]
  /** `any`: every dialect that has a marker; bare forms only when their dialect is chosen. */
  format?: 'any' | DialectName
  /**
   * `also`: a reply that is a call of a tool and nothing else counts without a marker too, bare or in a fence. `only`:
   * nothing but such a reply is read, all other text passes as it is.
   */
  wholeReplies?: 'also' | 'only'
  /** With `wholeReplies`: whether a text is repeated from what the model was given. Then it is no call. */
  isQuotation?: (text: string) => boolean
  /** The prompt has already opened the think block. */
  startsInReasoning?: boolean
  /** The most characters of one call, and the most that is held back. Default: 32 Mi. */
  limit?: number
}

export interface Reader {
  push(text: string): ReaderEvent[]
  end(): ReaderEvent[]
}

const defaultLimit = 32 * 1024 * 1024

/** Reads an assistant's reply as it arrives. The result is the same however the reply is cut into pieces. */
export function openReader(options: ReaderOptions): Reader {
  const source = new Source()
  const events = eventQueue()
  const block = {
    source,
    events,
    find: toolFinder(options.tools),
    offersTools: options.tools.length > 0,
    limit: options.limit ?? defaultLimit,
    frames: new Set<string>(),
  }
  const reading = readReply(block, options)
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

function readText(text: string, options: ReaderOptions): Reply {
  const reader = openReader(options)
  const reply = replyBuilder()
  for (const event of [...reader.push(text), ...reader.end()]) reply.add(event)
  return reply.finish()
}

/** Accepts a dialect's name as people write it; `any` stands for all. */
export function dialectName(text: string): 'any' | DialectName {
  const name = text.trim().toLowerCase().replaceAll('-', '_')
  if (name === 'any') return name
  const known = dialectNames.find((one) => one === name)
  if (known !== undefined) return known
  throw new Failure('invalid-input', `Unknown dialect: ${text}`, { hint: `There is any, ${dialectNames.join(', ')}.` })
}

type Owner = Dialect | { opener: string; closer: string } | { orphan: string } | 'whole-reply'

function* readReply(parts: Omit<Block, 'commit'>, options: ReaderOptions): Reading<void> {
  const { source, events, limit } = parts
  const attempt = attempts(parts)
  const whole = wholeReplies(parts, options)
  const { openings, table, wide } = tablesFor(options)
  if (options.startsInReasoning) yield* readOpenReasoning(parts)
  else yield* readOpening(parts, openings, attempt)
  if (whole) yield* whole.attempt()
  yield* readPassage(source, {
    get table() {
      return whole?.isOpen() ? wide : table
    },
    limit,
    show: events.text,
    ...(whole && { meetFence: whole.attempt }),
    *meet(matches, place) {
      for (const { marker, owner, length } of matches) {
        if (owner === 'whole-reply') {
          if ((isLineStart(place) || isAnnounced(place)) && (yield* whole!.attempt())) return true
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

/** Tries to read the rest of the reply as calls and nothing else, as long as no more than a lead-in was shown. */
function wholeReplies(parts: Omit<Block, 'commit'>, options: ReaderOptions) {
  const { tools, wholeReplies: wanted } = options
  if (wanted === undefined || tools.length === 0) return undefined
  const readAs: ReadAs = (text, format) => readText(text, { tools, format, limit: options.limit })
  const names = tools.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  const expected = { names, withMarked: wanted === 'only' }
  const reply = wholeReply({ ...parts, commit() {} }, expected, { readAs, isQuotation: options.isQuotation })
  const isOpen = (): boolean => !parts.events.hasCalls() && reply.mayFollow(parts.events.beginning())
  return {
    isOpen,
    *attempt(this: void): Reading<boolean> {
      return isOpen() && (yield* reply.attempt(parts.events.beginning()))
    },
  }
}

/** Lets a dialect try to read what a marker may open. One block serves all attempts: many end as soon as they begin. */
function attempts(parts: Omit<Block, 'commit'>) {
  const { source } = parts
  let isCommitted = false
  const commit = (): void => {
    if (!isCommitted) source.release()
    isCommitted = true
  }
  const block = { ...parts, commit }
  return function* (dialect: Dialect, marker: Marker, length: number): Reading<boolean> {
    const mark = source.mark()
    isCommitted = false
    source.at += length
    const isRead = yield* dialect.read(block, marker)
    if (isRead) commit()
    else if (isCommitted) throw new Error(`The dialect ${dialect.names[0]} took back a call`)
    else source.rewind(mark)
    return isRead
  }
}

/** A word that counts as the first of a reply alone. It is looked for there and nowhere else, as words are slow to look for. */
const isOpening = ({ text, place }: Marker): boolean => place === 'reply-start' && /^\w/.test(text)

function* readOpening(
  { source }: Omit<Block, 'commit'>,
  openings: readonly OwnedMarker[],
  attempt: ReturnType<typeof attempts>,
): Reading<void> {
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

function isInPlace(marker: Marker, place: Place, hasText: boolean): boolean {
  if (isQuoted(place) || (marker.word && /\w$/.test(place?.slice(-1) ?? ''))) return false
  if (marker.place === 'line-start') return isLineStart(place)
  return marker.place !== 'reply-start' || !hasText
}

/** The block that the prompt opened. A model that opens it once more is forgiven. */
function* readOpenReasoning(parts: Omit<Block, 'commit'>): Reading<void> {
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
  /** The same while the reply may still be a call without a marker. */
  wide: MarkerTable<Owner>
}

const knownTables = new Map<string, Tables>()

/** What to look for. Made once for each way of reading: there are few, and it takes longer than reading a short reply. */
function tablesFor(options: ReaderOptions): Tables {
  const key = `${options.format ?? 'any'} ${options.tools.length > 0} ${options.wholeReplies}`
  const known = knownTables.get(key)
  if (known) return known
  const markers = markersFor(options)
  const within = markers.filter(({ marker }) => !isOpening(marker))
  const table = markerTable<Owner>(within)
  const wide = options.wholeReplies ? markerTable<Owner>([...within, ...bareMarkers(options)]) : table
  const tables = { openings: markers.filter(({ marker }) => isOpening(marker)), table, wide }
  knownTables.set(key, tables)
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

/** Where a reply that is a call may begin behind a lead-in. */
function bareMarkers({ wholeReplies }: ReaderOptions): OwnedMarker[] {
  return [...(wholeReplies === 'only' ? ['{', '[', '<', ']<]'] : ['{', '['])].map((text) => ({
    marker: { text },
    owner: 'whole-reply',
  }))
}

const tagMarker = (text: string): Marker =>
  /^<\/?[\w:]+>$/.test(text) ? { text: text.slice(0, -1), tag: true } : { text }
