import type { JsonObject } from '../reader-event.js'
import type { Reading, Source } from '../source.js'
import { type Literal, readLiteral } from './read-literal.js'

/** A value that describes calls, and where in its text their arguments stand. */
export interface CallLiteral {
  literal: Literal
  written: Written
}

export interface Written {
  text: string
  places: { object: JsonObject; key: string; from: number; to: number }[]
}

/** Reads one JSON value: an object, or an array of objects. */
export function* readCallLiteral(source: Source, limit: number, closers?: readonly string[]): Reading<CallLiteral> {
  const start = source.mark()
  const places: Written['places'] = []
  const literal = yield* readLiteral(source, {
    syntax: 'json',
    limit,
    closers,
    onMember(key, object, from, to) {
      if (key !== 'arguments' && key !== 'parameters' && key !== 'function') return
      places.push({ object, key, from: from - start, to: to - start })
    },
  })
  const text = places.length === 0 ? '' : source.since(start)
  source.release()
  return { literal, written: { text, places } }
}

/** A member of one of the objects as it was written; undefined where it was not finished. */
export function memberText({ text, places }: Written, object: JsonObject, key: string): string | undefined {
  let found: string | undefined
  for (const place of places) if (place.object === object && place.key === key) found = text.slice(place.from, place.to)
  return found
}
