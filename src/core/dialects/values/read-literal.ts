import { isSpace, type Reading, type Source } from '../source.js'
import { readQuoted, readUntil, type StringReading } from './literal-string.js'
import { literalWord } from './literal-word.js'

/** `json` forgives trailing commas, raw line breaks, single quotes and Python's words; the others are their own. */
export type LiteralSyntax = 'json' | 'python' | 'gemma' | 'functiongemma'

export interface LiteralOptions {
  syntax: LiteralSyntax
  limit: number
  /** Texts that end the block: braces forgotten right before one of them are added. */
  closers?: readonly string[]
  /** Hears of every complete member of the outermost object, or of the objects in an outermost array: where in the reply its value stands. */
  onMember?: (key: string, object: Record<string, unknown>, from: number, to: number) => void
}

export type Literal =
  | { ok: true; value: unknown }
  | {
      ok: false
      /** `cut`: the reply ended. */
      problem: 'cut' | 'broken'
      message: string
      /** What was read so far. */
      partial: unknown
      /** Containers still open. */
      depth: number
      /** The reply ended between two parts, not inside one. */
      isBetween: boolean
      /** The quote of the string that ended right before the fault: perhaps it should not have ended there. */
      quote?: string
    }

interface Container {
  value: Record<string, unknown> | unknown[]
  closer: string
  key: string
}

type Phase = 'value' | 'key' | 'colon' | 'after'

const closerOf: Record<string, string> = { '{': '}', '[': ']', '(': ')' }
/** Deeper values cannot be printed again without care, and nobody writes them. */
const depthLimit = 500
/** What stands for quotes where keys have none. */
const quoteMarks: Partial<Record<LiteralSyntax, string>> = { gemma: '<|"|>', functiongemma: '<escape>' }

/** Reads one value from its first character to behind its last, whatever its size, without recursion. */
export function* readLiteral(source: Source, options: LiteralOptions): Reading<Literal> {
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
    const { value: object, key } = stack[memberDepth - 1]
    if (!Array.isArray(object)) onMember(key, object, memberFrom, source.offset)
  }

  for (;;) {
    let code = source.at < source.window.length ? source.window.charCodeAt(source.at) : -1
    if (code === -1 || isSpace(code)) code = yield* source.skipSpace()
    if (code === -1) return failed('cut', 'the text ends in the middle of a value', phase === 'after' || canClose)
    if (source.offset - start > limit) return failed('broken', `it is longer than ${limit} characters`)
    const character = source.window[source.at]
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
        // Braces were forgotten, nothing else: there is one way to add them.
        if (closer.startsWith(character) && (yield* source.sees(closer, true))) return { ok: true, value: root }
      }
    }
    if (phase === 'after') {
      if (character !== ',') return failed('broken', `${yield* found(source)} stands where , or ${top.closer} should`)
      source.at++
      canClose = true
      quote = undefined
      phase = Array.isArray(top.value) ? 'value' : 'key'
      continue
    }
    if (phase === 'colon') {
      if (character !== ':') return failed('broken', `${yield* found(source)} stands where : should`)
      source.at++
      quote = undefined
      phase = 'value'
      continue
    }
    if (phase === 'key') {
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
      if (stack.length === depthLimit) return failed('broken', `it is nested more than ${depthLimit} deep`)
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
      if (word.isCut) return failed('cut', 'the text ends in the middle of a value')
      const value = literalWord(word.text, syntax)
      if (value === undefined) return failed('broken', `${describe(word.text, character)} is no value`)
      put(value.value)
    }
    if (stack.length === 0) return { ok: true, value: root }
    complete()
  }
}

/** Also a key such as `__proto__` is plain data. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A string in any form the syntax has; undefined when none starts here. */
function* readText(source: Source, syntax: LiteralSyntax, limit: number): Reading<StringReading | undefined> {
  const quoteMark = quoteMarks[syntax]
  if (quoteMark !== undefined && (yield* source.take(quoteMark))) return yield* readUntil(source, quoteMark, limit)
  if (syntax === 'python') return yield* readPythonText(source, limit)
  const mark = source.window[source.at]
  if (mark !== '"' && (mark !== "'" || quoteMark !== undefined)) return undefined
  source.at++
  return yield* readQuoted(source, mark, limit)
}

/** Any of Python's string forms; neighbouring strings are one string. */
function* readPythonText(source: Source, limit: number): Reading<StringReading | undefined> {
  let isRaw = false
  if (/[rRbBuU]/.test(source.window[source.at])) {
    yield* source.need(2)
    if (!/["']/.test(source.window[source.at + 1] ?? '')) return undefined
    isRaw = /[rR]/.test(source.window[source.at])
    source.at++
  }
  const parts: string[] = []
  for (let mark = source.window[source.at]; mark === '"' || mark === "'"; mark = source.window[source.at]) {
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

function* readKey(source: Source, syntax: LiteralSyntax, limit: number): Reading<KeyReading> {
  const first = source.window[source.at]
  const text = yield* readText(source, syntax, limit)
  if (text !== undefined) return 'problem' in text ? text : { value: text.value, quote: first }
  const word = yield* readWord(source)
  if (word.isCut) return { problem: 'cut', message: 'the text ends in the middle of a key' }
  const isKey = quoteMarks[syntax] !== undefined ? word.text !== '' : syntax === 'python' && /^\d+$/.test(word.text)
  if (isKey) return { value: word.text }
  return { problem: 'broken', message: `${describe(word.text, first)} stands where a key in quotes should` }
}

const wordLimit = 400

/** Letters and digits up to whatever cannot belong to a number or a word. */
function* readWord(source: Source): Reading<{ text: string; isCut: boolean }> {
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

const describe = (word: string, character: string): string =>
  JSON.stringify(word === '' ? character : word.slice(0, 40))

function* found(source: Source): Reading<string> {
  yield* source.need(20)
  return JSON.stringify(source.window.slice(source.at, source.at + 20).split(/\s/)[0])
}
