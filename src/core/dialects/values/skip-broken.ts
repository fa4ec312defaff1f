import { isSpace, type Reading, type Source } from '../source.js'

export interface BrokenPlace {
  /** Brackets open at this place. The skipping ends when they are closed; without a number only a closer ends it. */
  depth?: number
  /** Where to stop, outside strings; they are not read. */
  stops: readonly string[]
  /** This place is inside a string with that quote. */
  quote?: string
}

const openers = '{[('
const closers = '}])'

/**
 * Passes over what cannot be read. Markers inside strings stay hidden: a quote opens a string only where a value
 * or a key may stand, and closes it only where one may end, so that stray quotes do not turn everything around.
 */
export function* skipBroken(source: Source, place: BrokenPlace): Reading<'balanced' | 'stop' | 'end'> {
  let { depth } = place
  if (depth === 0) return 'balanced'
  let quote = place.quote?.slice(-1) ?? ''
  let before = ''
  while (yield* source.fill()) {
    const character = source.window[source.at]
    if (quote !== '') {
      if (character === '\\') {
        yield* source.need(2)
        source.at += source.window.length - source.at > 1 ? 2 : 1
        continue
      }
      source.at++
      if (character === quote && (yield* endsString(source, place.stops))) {
        quote = ''
        before = character
      }
      continue
    }
    for (const stop of place.stops) {
      if (startsLike(stop, character) && (yield* source.sees(stop, true))) return 'stop'
    }
    source.at++
    if ((character === '"' || character === "'") && '{[(,:='.includes(before)) {
      quote = character
      continue
    }
    if (depth !== undefined) {
      if (openers.includes(character)) depth++
      else if (closers.includes(character) && --depth === 0) return 'balanced'
    }
    if (!isSpace(character.charCodeAt(0))) before = character
  }
  return 'end'
}

/** Whether a string may end before this place: something that goes on follows. */
function* endsString(source: Source, stops: readonly string[]): Reading<boolean> {
  const mark = source.mark()
  const next = yield* source.skipSpace()
  let ends = next === -1 || ',:}])'.includes(String.fromCharCode(next))
  for (const stop of ends ? [] : stops) ends ||= yield* source.sees(stop, true)
  source.rewind(mark)
  return ends
}

const startsLike = (text: string, character: string): boolean =>
  text[0] === character || text[0].toLowerCase() === character
