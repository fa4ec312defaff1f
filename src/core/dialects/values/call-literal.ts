import type { JsonObject } from '../reader-event.js'
import type { Reading, Source } from '../source.js'
import { type Literal, type LiteralOptions, readLiteral } from './read-literal.js'

/** A value that describes calls, and where in its text their arguments stand. */
export interface CallLiteral {
  literal: Literal
  text: string
  places: ReadonlyMap<JsonObject, Readonly<Record<string, readonly [from: number, to: number]>>>
}

const kept = ['arguments', 'parameters', 'function']

/** Reads one JSON value: an object, or an array of objects. */
export function* readCallLiteral(source: Source, options: Omit<LiteralOptions, 'syntax'>): Reading<CallLiteral> {
  const start = source.mark()
  const places = new Map<JsonObject, Record<string, readonly [number, number]>>()
  const literal = yield* readLiteral(source, {
    ...options,
    syntax: 'json',
    onMember({ key, object, from, to }) {
      if (kept.includes(key)) places.set(object, { ...places.get(object), [key]: [from - start, to - start] })
    },
  })
  const text = places.size === 0 ? '' : source.since(start)
  source.release()
  return { literal, text, places }
}

/** A member of one of the objects as it was written. */
export function textOf({ text, places }: Pick<CallLiteral, 'text' | 'places'>, object: JsonObject, key: string) {
  const place = places.get(object)?.[key]
  return place && text.slice(...place)
}
