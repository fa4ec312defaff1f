import { Failure } from '../../../errors.js'
import { lineBreakOf, withLineBreaks } from '../written-text.js'
import { type FoundText, findText, searchedText, type WantedText } from './find-text.js'
import type { TextPlace } from './standing-places.js'

export interface ReplacedText {
  text: string
  /** Where the new texts stand in it, in order. */
  places: (TextPlace & { isFuzzy: boolean })[]
  /** Line and name of what matched only after folding typography. */
  fuzzy: { name: string; line: number }[]
}

/**
 * Replaces each wanted text at its one place in the text as it is now. Everything outside stays byte for byte: the
 * byte order mark, line breaks, a missing last one. New lines break as the note's do.
 */
export function replaceTexts(path: string, text: string, wanted: readonly WantedText[]): ReplacedText {
  const source = bodyOf(text)
  const note = searchedText(path, source.body)
  const found = wanted
    .map((each) => ({ ...findText(note, plain(each)), name: each.name }))
    .sort((one, other) => one.start - other.start || one.end - other.end)
  refuseOverlap(path, found)

  const pieces: string[] = []
  const places: ReplacedText['places'] = []
  let done = 0
  let length = 0
  for (const { start, end, isFuzzy, replacement: replace } of found) {
    const replacement = replace()
    const [from, to] = [source.offset(replacement.start), source.offset(replacement.end)]
    const near = text.slice(source.offset(start), source.offset(end))
    const lineBreak = lineBreakOf(near.includes('\n') ? near : text)
    const fresh = withLineBreaks(replacement.text, lineBreak)
    const at = length + from - done
    pieces.push(text.slice(done, from), fresh)
    places.push({ start: at, end: at + fresh.length, isFuzzy })
    length = at + fresh.length
    done = to
  }
  pieces.push(text.slice(done))
  return {
    text: pieces.join(''),
    places,
    fuzzy: linesOf(
      source.body,
      found.filter(({ isFuzzy }) => isFuzzy),
    ),
  }
}

/** The lines at which places begin that are in order. */
function linesOf(body: string, places: readonly { name: string; start: number }[]): ReplacedText['fuzzy'] {
  let line = 1
  let next = body.indexOf('\n')
  return places.map(({ name, start }) => {
    for (; next >= 0 && next < start; next = body.indexOf('\n', next + 1)) line++
    return { name, line }
  })
}

function plain(wanted: WantedText): WantedText {
  return { ...wanted, old: bodyOf(wanted.old).body, fresh: bodyOf(wanted.fresh).body }
}

/** The text without byte order mark and with `\n` alone, and the way back from its offsets to those of the text. */
function bodyOf(text: string): { body: string; offset(at: number): number } {
  const mark = text.startsWith('\ufeff') ? 1 : 0
  const body = text.slice(mark).replaceAll('\r\n', '\n')
  if (body.length === text.length - mark) return { body, offset: (at) => at + mark }
  // Places in the body before which a carriage return was taken out.
  const taken: number[] = []
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) taken.push(at - mark - taken.length)
  return {
    body,
    offset(at) {
      let low = 0
      let high = taken.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (taken[middle] < at) low = middle + 1
        else high = middle
      }
      return at + low + mark
    },
  }
}

function refuseOverlap(path: string, found: readonly (FoundText & { name: string })[]): void {
  for (let index = 1; index < found.length; index++) {
    const [one, other] = [found[index - 1], found[index]]
    if (other.start >= one.end) continue
    throw new Failure('invalid-input', `${one.name} and ${other.name} overlap in ${path}. Nothing was changed.`, {
      hint: 'Put them into one block.',
    })
  }
}
