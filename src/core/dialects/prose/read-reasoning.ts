import type { Block, Marker } from '../dialect.js'
import type { Reading, Source } from '../source.js'
import { type MarkerTable, markerTable } from './marker-table.js'
import { readPassage } from './read-passage.js'

/** A closing tag quoted in code is looked past this far for the real one. */
const closerSearchLimit = 64 * 1024

/** Reads reasoning from behind its opening tag to behind its closing tag, or up to a text that ends it, or to the end. */
export function* readReasoning(
  { source, events, limit }: Pick<Block, 'source' | 'events' | 'limit'>,
  closers: readonly string[],
  stops: readonly string[] = [],
): Reading<void> {
  const table = tableOf([...closers, ...stops])
  let laterCloser = -1
  events.reasoningStart()
  yield* readPassage(source, {
    table,
    limit,
    show: events.reasoning,
    // Reasoning may quote its own closing tag. That is code only if the real one is still to come:
    // better a lost quote than an answer taken for reasoning.
    *countsInCode() {
      if (laterCloser <= source.offset) laterCloser = yield* findCloser(source, table)
      return laterCloser === -1
    },
  })
  const [closer] = table.match(source.window, source.at).matches
  if (closer && !stops.includes(closer.marker.text)) source.at += closer.length
  events.reasoningEnd()
}

const tables = new Map<string, MarkerTable<undefined>>()

function tableOf(texts: readonly string[]): MarkerTable<undefined> {
  const key = texts.join('\n')
  const known = tables.get(key)
  if (known) return known
  const table = markerTable(texts.map((text) => ({ marker: closingMarker(text), owner: undefined })))
  tables.set(key, table)
  return table
}

const closingMarker = (text: string): Marker =>
  /^<\/[\w:]+>$/.test(text) ? { text: text.slice(0, -1), tag: true } : { text }

/** The offset of the next closer behind the one that stands here, or -1. Reads nothing. */
function* findCloser(source: Source, table: MarkerTable<undefined>): Reading<number> {
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
