// Reads values as models write them: JSON and its slips, Python, and the two syntaxes of Gemma.

import { faults } from './faults.js'
import { isSpace, type ParseGenerator, type TextSource } from './source.js'

/**
 * `json` also accepts trailing commas, raw line breaks, single quotes and Python's constants; the others are separate
 * syntaxes.
 */
export type LiteralSyntax = 'json' | 'python' | 'gemma' | 'functiongemma'

interface LiteralOptions {
  syntax: LiteralSyntax
  limit: number
  /** Texts that end the block: braces forgotten right before one of them are added. */
  closers?: readonly string[] | undefined
  /**
   * Called for every complete member of the outermost object, or of the objects in an outermost array, with the
   * position of its value in the reply.
   */
  onMember?: (key: string, object: Record<string, unknown>, from: number, to: number) => void
}

export type Literal =
  | { ok: true; value: unknown }
  | {
      ok: false
      /** `cut`: the reply ended. */
      problem: 'cut' | 'broken'
      message: string
      /** The value read so far. */
      partial: unknown
      /** Containers still open. */
      depth: number
      /** The reply ended between two parts, not inside one. */
      isBetween: boolean
      /** The quote of the string that ended right before the fault: perhaps it should not have ended there. */
      quote?: string | undefined
    }

interface Container {
  value: Record<string, unknown> | unknown[]
  closer: string
  key: string
}

type Phase = 'value' | 'key' | 'colon' | 'after'

const closerOf = { '{': '}', '[': ']', '(': ')' }
/** Deeper values are hard to print again, and no model writes them. */
const depthLimit = 500
/** Marks used as quotes in syntaxes with unquoted keys. */
const quoteMarks: Partial<Record<LiteralSyntax, string>> = { gemma: '<|"|>', functiongemma: '<escape>' }

/** Reads one value of any size from its first character to after its last, without recursion. */
export function* readLiteral(source: TextSource, options: LiteralOptions): ParseGenerator<Literal> {
  const { syntax, limit, closers = [], onMember } = options
  const start = source.offset
  const stack: Container[] = []
  let root: unknown
  let phase = 'value' as Phase
  let canClose = false
  let quote: string | undefined
  let memberDepth = 1
  let memberFrom = start

  const failed = (problem: 'cut' | 'broken', message: string, isBetween = false): Literal => {
    return { ok: false, problem, message, partial: root, depth: stack.length, isBetween, quote }
  }
  const put = (value: unknown): void => {
    const top = stack[stack.length - 1]
    if (top === undefined) root = value
    else if (Array.isArray(top.value)) top.value.push(value)
    else setMember(top.value, top.key, value)
  }
  const complete = (): void => {
    phase = 'after'
    if (stack.length !== memberDepth || onMember === undefined) return
    const container = stack[memberDepth - 1]
    if (container === undefined || Array.isArray(container.value)) return
    onMember(container.key, container.value, memberFrom, source.offset)
  }

  for (;;) {
    let code = source.at < source.window.length ? source.window.charCodeAt(source.at) : -1
    if (code === -1 || isSpace(code)) code = yield* source.skipSpace()
    if (code === -1) return failed('cut', faults.cutValue, phase === 'after' || canClose)
    if (source.offset - start > limit) return failed('broken', faults.tooLong(limit))
    const character = source.window.charAt(source.at)
    const top = stack[stack.length - 1]

    if (top && character === top.closer && (phase === 'after' || canClose)) {
      source.at++
      stack.pop()
      if (stack.length === 0) return { ok: true, value: root }
      canClose = false
      quote = undefined
      complete()
      continue
    }
    if (phase === 'after' || canClose) {
      for (const closer of closers) {
        // Only braces were forgotten: there is one way to add them.
        if (closer.startsWith(character) && (yield* source.sees(closer, true))) return { ok: true, value: root }
      }
    }
    if (top && phase === 'after') {
      if (character !== ',')
        return failed('broken', `${yield* quoteNext(source)} was found where , or ${top.closer} was expected`)
      source.at++
      canClose = true
      quote = undefined
      phase = Array.isArray(top.value) ? 'value' : 'key'
      continue
    }
    if (phase === 'colon') {
      if (character !== ':') return failed('broken', `${yield* quoteNext(source)} was found where : was expected`)
      source.at++
      quote = undefined
      phase = 'value'
      continue
    }
    if (top && phase === 'key') {
      const key = yield* readKey(source, syntax, limit)
      quote = key.quote
      if ('problem' in key) return failed(key.problem, key.message)
      top.key = key.value
      canClose = false
      phase = 'colon'
      continue
    }

    canClose = false
    quote = undefined
    if (stack.length === memberDepth) memberFrom = source.offset
    if (character === '{' || character === '[' || (character === '(' && syntax === 'python')) {
      if (stack.length === depthLimit) return failed('broken', faults.tooDeep(depthLimit))
      const value = character === '{' ? {} : []
      if (stack.length === 0 && character === '[') memberDepth = 2
      put(value)
      stack.push({ value, closer: closerOf[character], key: '' })
      source.at++
      canClose = true
      phase = character === '{' ? 'key' : 'value'
      continue
    }
    const text = yield* readText(source, syntax, limit)
    if (text !== undefined) {
      if ('problem' in text) {
        quote = text.quote
        return failed(text.problem, text.message)
      }
      put(text.value)
      quote = character
    } else {
      const word = yield* readWord(source)
      if (word.isCut) return failed('cut', faults.cutValue)
      const value = parseWord(word.text, syntax)
      if (value === undefined) return failed('broken', `${quoteWord(word.text, character)} is not a value`)
      put(value.value)
    }
    if (stack.length === 0) return { ok: true, value: root }
    complete()
  }
}

/** Sets a member as plain data, also for a key such as `__proto__`. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Reads a string in any form of the syntax; undefined if none starts here. */
function* readText(
  source: TextSource,
  syntax: LiteralSyntax,
  limit: number,
): ParseGenerator<StringReading | undefined> {
  const quoteMark = quoteMarks[syntax]
  if (quoteMark !== undefined && (yield* source.take(quoteMark))) return yield* readUntil(source, quoteMark, limit)
  if (syntax === 'python') return yield* readPythonText(source, limit)
  const mark = source.window.charAt(source.at)
  if (mark !== '"' && (mark !== "'" || quoteMark !== undefined)) return undefined
  source.at++
  return yield* readQuoted(source, mark, limit)
}

/** Reads any of Python's string forms; adjacent strings are one string. */
function* readPythonText(source: TextSource, limit: number): ParseGenerator<StringReading | undefined> {
  let isRaw = false
  if (/[rRbBuU]/.test(source.window.charAt(source.at))) {
    yield* source.need(2)
    if (!/["']/.test(source.window[source.at + 1] ?? '')) return undefined
    isRaw = /[rR]/.test(source.window.charAt(source.at))
    source.at++
  }
  const parts: string[] = []
  for (
    let mark = source.window.charAt(source.at);
    mark === '"' || mark === "'";
    mark = source.window.charAt(source.at)
  ) {
    const isTriple = yield* source.take(mark.repeat(3))
    if (!isTriple) source.at++
    const text = yield* readQuoted(source, isTriple ? mark.repeat(3) : mark, limit, isRaw ? 'none' : 'python')
    if ('problem' in text) return text
    parts.push(text.value)
    if ((yield* source.skipSpace()) === -1) break
  }
  return parts.length === 0 ? undefined : { value: parts.join('') }
}

type KeyReading = { value: string; quote?: string } | { problem: 'cut' | 'broken'; message: string; quote?: string }

function* readKey(source: TextSource, syntax: LiteralSyntax, limit: number): ParseGenerator<KeyReading> {
  const first = source.window.charAt(source.at)
  const text = yield* readText(source, syntax, limit)
  if (text !== undefined) return 'problem' in text ? text : { value: text.value, quote: first }
  const word = yield* readWord(source)
  if (word.isCut) return { problem: 'cut', message: 'the text ends in the middle of a key' }
  const isKey = quoteMarks[syntax] !== undefined ? word.text !== '' : syntax === 'python' && /^\d+$/.test(word.text)
  if (isKey) return { value: word.text }
  return { problem: 'broken', message: `${quoteWord(word.text, first)} was found where a key in quotes was expected` }
}

const wordLimit = 400

/** Reads letters and digits up to a character that cannot belong to a number or a word. */
function* readWord(source: TextSource): ParseGenerator<{ text: string; isCut: boolean }> {
  let text = ''
  while (yield* source.fill()) {
    const { window, at } = source
    let end = at
    while (end < window.length && isWordCode(window.charCodeAt(end)) && text.length + end - at < wordLimit) end++
    text += window.slice(at, end)
    source.at = end
    if (end < window.length) return { text, isCut: false }
  }
  return { text, isCut: true }
}

const isWordCode = (code: number): boolean => code > 32 && !',:{}[]()<>"\'=;`'.includes(String.fromCharCode(code))

const quoteWord = (word: string, character: string): string =>
  JSON.stringify(word === '' ? character : word.slice(0, 40))

function* quoteNext(source: TextSource): ParseGenerator<string> {
  yield* source.need(20)
  return JSON.stringify(source.window.slice(source.at, source.at + 20).split(/\s/)[0])
}

/** The string, or the problem: `cut` by the end of the reply, or `broken` inside. */
type StringReading =
  | { value: string }
  /** `quote`: the reading stopped inside the string. */
  | { problem: 'cut' | 'broken'; message: string; quote?: string }

const backslash = 92

/** How escapes are read: JSON's and unambiguous others, Python's, or not at all. */
type Escapes = 'json' | 'python' | 'none'

/** Reads from after the opening quote to after the closing one. Raw line breaks are kept. */
export function* readQuoted(
  source: TextSource,
  quote: string,
  limit: number,
  escapes: Escapes = quote === '"' ? 'json' : 'python',
): ParseGenerator<StringReading> {
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
    // A backslash at the very end waits for the character it escapes.
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
  return { problem: 'cut', message: faults.cutString }
}

/** Reads up to a closing text and keeps everything before it unchanged. */
export function* readUntil(source: TextSource, closer: string, limit: number): ParseGenerator<StringReading> {
  const pieces: string[] = []
  let length = 0
  while (yield* source.fill()) {
    const last = Math.min(source.window.length, source.at + limit - length + 1)
    const found = indexBefore(source.window, closer.charAt(0), source.at, last)
    const end = found === -1 ? last : found
    pieces.push(source.window.slice(source.at, end))
    length += end - source.at
    source.at = end
    if (length > limit) return tooLong(limit)
    if (found === -1) continue
    if (yield* source.take(closer)) return { value: pieces.join('') }
    pieces.push(source.window.charAt(source.at))
    length++
    source.at++
  }
  return { problem: 'cut', message: faults.cutString }
}

/** The index of a character before an end, or -1. */
export function indexBefore(text: string, character: string, from: number, end: number): number {
  const found = text.indexOf(character, from)
  return found < end ? found : -1
}

function tooLong(limit: number): { problem: 'broken'; message: string } {
  return { problem: 'broken', message: faults.tooLong(limit) }
}

function decodeJson(raw: string): StringReading {
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  if (!/[\u0000-\u001f]/.test(raw)) {
    try {
      return { value: JSON.parse(`"${raw}"`) as string }
    } catch {
      // Decoded below, where the fault gets a message.
    }
  }
  let bad: string | undefined
  // Python's escapes are unambiguous in JSON too, except digits, which may refer to a group.
  const value = raw.replace(pythonEscape, (whole, ...[byte, unit, point, octal, letter]: Groups) => {
    if (octal !== undefined || (letter !== undefined && !`"\\/bfnrtav'\n`.includes(letter))) bad ??= whole
    return decodeEscape(whole, byte ?? unit ?? point, letter)
  })
  if (bad === undefined) return { value }
  return { problem: 'broken', message: `${JSON.stringify(bad)} is not a valid escape in a JSON string` }
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
  // A line continuation.
  '\n': '',
}

/** Groups that did not match are undefined. */
type Groups = (string | undefined)[]

const pythonEscape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g

function decodePython(raw: string): string {
  return raw.replace(pythonEscape, (whole, ...[byte, unit, point, octal, letter]: Groups) =>
    octal === undefined
      ? decodeEscape(whole, byte ?? unit ?? point, letter)
      : String.fromCharCode(Number.parseInt(octal, 8)),
  )
}

/** An unknown escape keeps its backslash. */
function decodeEscape(whole: string, hex: string | undefined, letter = ''): string {
  if (hex !== undefined) return codePoint(Number.parseInt(hex, 16), whole)
  return shortEscapes[letter] ?? ('\'"\\/'.includes(letter) ? letter : whole)
}

const codePoint = (code: number, otherwise: string): string =>
  code <= 0x10ffff ? String.fromCodePoint(code) : otherwise

const constants = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
])

/** `.5` is unambiguous too. */
const jsonNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/
const pythonNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const pythonInteger = /^[+-]?0(?:[xX][\da-fA-F]+|[oO][0-7]+|[bB][01]+)$/

/** The value of a bare word or number; undefined if it has none. */
function parseWord(text: string, syntax: LiteralSyntax): { value: unknown } | undefined {
  if (constants.has(text)) return { value: constants.get(text) }
  if (jsonNumber.test(text)) return finiteNumber(Number(text))
  if (syntax === 'json') return undefined
  const digits = text.replace(/(\d)_(?=\d)/g, '$1')
  if (pythonNumber.test(digits)) return finiteNumber(Number(digits))
  if (pythonInteger.test(digits))
    return finiteNumber(digits.startsWith('-') ? -Number(digits.slice(1)) : Number(digits.replace('+', '')))
  return undefined
}

const finiteNumber = (value: number): { value: number } | undefined => (Number.isFinite(value) ? { value } : undefined)

interface SkipOptions {
  /** Brackets open here. Skipping ends when they are closed; without a number, only a stop ends it. */
  depth?: number
  /** Texts to stop before, outside strings. */
  stops: readonly string[]
  /** The position is inside a string with that quote. */
  quote?: string | undefined
}

const openBrackets = '{[('
const closeBrackets = '}])'

/**
 * Skips what cannot be read. Markers inside strings stay hidden: a quote opens a string only where a value or a key
 * may stand, and closes it only where one may end, so that stray quotes do not invert everything.
 */
export function* skipBroken(source: TextSource, place: SkipOptions): ParseGenerator<'balanced' | 'stop' | 'end'> {
  let { depth } = place
  if (depth === 0) return 'balanced'
  let quote = place.quote?.slice(-1) ?? ''
  let before = ''
  while (yield* source.fill()) {
    const character = source.window.charAt(source.at)
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
      if (startsWithCharacter(stop, character) && (yield* source.sees(stop, true))) return 'stop'
    }
    source.at++
    if ((character === '"' || character === "'") && '{[(,:='.includes(before)) {
      quote = character
      continue
    }
    if (depth !== undefined) {
      if (openBrackets.includes(character)) depth++
      else if (closeBrackets.includes(character) && --depth === 0) return 'balanced'
    }
    if (!isSpace(character.charCodeAt(0))) before = character
  }
  return 'end'
}

/** True if a string may end here, because a separator, a closer or a stop follows. */
function* endsString(source: TextSource, stops: readonly string[]): ParseGenerator<boolean> {
  const mark = source.mark()
  const next = yield* source.skipSpace()
  let ends = next === -1 || ',:}])'.includes(String.fromCharCode(next))
  for (const stop of ends ? [] : stops) ends ||= yield* source.sees(stop, true)
  source.rewind(mark)
  return ends
}

const startsWithCharacter = (text: string, character: string): boolean =>
  text.charAt(0) === character || text.charAt(0).toLowerCase() === character
