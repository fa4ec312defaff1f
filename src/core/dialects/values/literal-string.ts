import type { Reading, Source } from '../source.js'

/** A string that was read, or why not: `cut` by the end of the reply, or `broken` inside. */
export type StringReading =
  | { value: string }
  /** `quote`: the reading stopped inside the string. */
  | { problem: 'cut' | 'broken'; message: string; quote?: string }

const backslash = 92

/** How escapes in a string are read: as JSON's with what has one reading besides, as Python's, or not at all. */
export type Escapes = 'json' | 'python' | 'none'

/** Reads from behind the opening quote to behind the closing one. Raw line breaks are taken as they are. */
export function* readQuoted(
  source: Source,
  quote: string,
  limit: number,
  escapes: Escapes = quote === '"' ? 'json' : 'python',
): Reading<StringReading> {
  const end = quote.charCodeAt(0)
  const start = source.mark()
  let hasEscapes = false
  while (yield* source.fill()) {
    const { window } = source
    // Gives up at the same character however the reply is cut.
    const last = Math.min(window.length, source.at + limit - (source.offset - start) + 1)
    let at = source.at
    while (at < last) {
      const code = window.charCodeAt(at)
      if (code === end) break
      if (code === backslash) {
        hasEscapes = true
        at++
      }
      at++
    }
    // A backslash at the very end waits for what it escapes.
    if (at > window.length) at = window.length - 1
    source.at = at
    if (source.offset - start > limit) {
      source.release()
      return { ...tooLong(limit), quote }
    }
    if (at === window.length) continue
    if (window.charCodeAt(at) === backslash) {
      if (!(yield* source.need(2))) break
    } else if (quote.length === 1 || (yield* source.sees(quote))) {
      const raw = source.since(start)
      source.release()
      source.at += quote.length
      if (!hasEscapes || escapes === 'none') return { value: raw }
      return escapes === 'json' ? decodeJson(raw) : { value: decodePython(raw) }
    } else source.at++
  }
  source.release()
  return { problem: 'cut', message: 'the text ends inside a string' }
}

/** Reads up to a closing text and takes everything before it as it is. */
export function* readUntil(source: Source, closer: string, limit: number): Reading<StringReading> {
  const pieces: string[] = []
  let length = 0
  while (yield* source.fill()) {
    const last = Math.min(source.window.length, source.at + limit - length + 1)
    const found = indexBefore(source.window, closer[0], source.at, last)
    const end = found === -1 ? last : found
    pieces.push(source.window.slice(source.at, end))
    length += end - source.at
    source.at = end
    if (length > limit) return tooLong(limit)
    if (found === -1) continue
    if (yield* source.take(closer)) return { value: pieces.join('') }
    pieces.push(source.window[source.at])
    length++
    source.at++
  }
  return { problem: 'cut', message: 'the text ends inside a string' }
}

/** The place of a character before an end, or -1. */
export function indexBefore(text: string, character: string, from: number, end: number): number {
  const found = text.indexOf(character, from)
  return found < end ? found : -1
}

export function tooLong(limit: number): { problem: 'broken'; message: string } {
  return { problem: 'broken', message: `it is longer than ${limit} characters` }
}

function decodeJson(raw: string): StringReading {
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  if (!/[\u0000-\u001f]/.test(raw)) {
    try {
      return { value: JSON.parse(`"${raw}"`) as string }
    } catch {
      // Read below, where the fault gets a name.
    }
  }
  let bad: string | undefined
  // Python's escapes have one reading in JSON too, but for digits, which may refer to a group.
  const value = raw.replace(pythonEscape, (whole, ...[byte, unit, point, octal, letter]: Groups) => {
    if (octal !== undefined || (letter !== undefined && !`"\\/bfnrtav'\n`.includes(letter))) bad ??= whole
    return decodeEscape(whole, byte ?? unit ?? point, letter)
  })
  if (bad === undefined) return { value }
  return { problem: 'broken', message: `${JSON.stringify(bad)} is no escape in a JSON string` }
}

const shortEscapes: Record<string, string> = {
  __proto__: null as never,
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  a: '\x07',
  v: '\v',
  // The line goes on.
  '\n': '',
}

/** Of a pattern that did not meet all of its groups. */
type Groups = (string | undefined)[]

const pythonEscape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g

function decodePython(raw: string): string {
  return raw.replace(pythonEscape, (whole, ...[byte, unit, point, octal, letter]: Groups) =>
    octal === undefined
      ? decodeEscape(whole, byte ?? unit ?? point, letter)
      : String.fromCharCode(Number.parseInt(octal, 8)),
  )
}

/** An escape that nobody knows keeps its backslash. */
function decodeEscape(whole: string, hex: string | undefined, letter = ''): string {
  if (hex !== undefined) return codePoint(Number.parseInt(hex, 16), whole)
  return shortEscapes[letter] ?? ('\'"\\/'.includes(letter) ? letter : whole)
}

const codePoint = (code: number, otherwise: string): string =>
  code <= 0x10ffff ? String.fromCodePoint(code) : otherwise
