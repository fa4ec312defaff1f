// Reads call objects and reports intended calls.

import { isRecord } from '../is-record.js'
import { parseStructure, type TypingOptions, typeArguments } from './argument-types.js'
import type { Block, DeclaredTool } from './dialect.js'
import type { JsonObject, ParsedCall } from './events.js'
import { type Literal, type LiteralSyntax, readLiteral, setMember, skipBroken } from './literals.js'
import { type ParseGenerator, parseWhole, type TextSource } from './source.js'

interface CallsEnd {
  /** Texts that end the block and belong to it. Empty if the block ends with its value. */
  closers: readonly string[]
  /** Texts that start the next block, after a forgotten closer. */
  openers?: readonly string[]
}

const nameKeys = ['name', 'tool_name']
const idKeys = ['id', 'call_id', 'tool_call_id']
const argumentKeys = ['arguments', 'parameters']

/** A call that was read, but may still be followed by invalid text. */
export interface PendingCall {
  complete(): void
  fail(message: string): void
}

/** Reads call objects, or arrays of them, up to the end of the block. */
export function* readCalls(block: Block, end: CallsEnd): ParseGenerator<void> {
  const { source } = block
  const stops = [...end.closers, ...(end.openers ?? [])]
  let pending: PendingCall | undefined
  let hasValue = false
  let isBroken = false
  for (;;) {
    const code = yield* source.skipSpace()
    const character = code === -1 ? '' : String.fromCharCode(code)
    const isEnd = character === '' || (yield* firstSeen(block, stops)) !== undefined
    if (isEnd || character === '{' || character === '[') {
      pending?.complete()
      pending = undefined
    }
    if (isEnd) return yield* takeCloser(block, end.closers)
    if (character === '{') {
      pending = yield* readCallObject(block, stops)
      isBroken ||= pending === undefined
      hasValue = true
    } else if (character === '[') {
      source.at++
      yield* readCallArray(block, stops)
      hasValue = true
    } else if (hasValue && '}]>,;'.includes(character)) source.at++
    else if (character === '`' && (yield* skipFence(block))) continue
    else {
      const message = `${JSON.stringify(character)} stands where a JSON object or the end of the call should`
      if (pending) pending.fail(message)
      else if (!isBroken) callBuilder(block).malformed(message)
      pending = undefined
      isBroken = true
      yield* skipBroken(source, { stops })
    }
    if (end.closers.length === 0) return pending?.complete()
  }
}

/** Reads one object. An unreadable one is reported and skipped. */
function* readCallObject(block: Block, stops: readonly string[]): ParseGenerator<PendingCall | undefined> {
  const builder = callBuilder(block)
  const { literal, written } = yield* readCallLiteral(block.source, block.limit, stops)
  const value = literal.ok ? literal.value : isComplete(literal) ? literal.partial : undefined
  if (value !== undefined) {
    return { complete: () => callFromObject(builder, value as JsonObject, written), fail: builder.malformed }
  }
  builder.setName(member((literal.ok ? undefined : literal.partial) as JsonObject, nameKeys))
  if (literal.ok) return undefined
  builder.malformed(literal.message)
  yield* skipBroken(block.source, { stops, depth: literal.depth, quote: literal.quote })
  return undefined
}

/** Reads the elements of an array, starting after its bracket. Complete calls run even if others are broken. */
export function* readCallArray(block: Block, stops: readonly string[]): ParseGenerator<void> {
  const { source } = block
  let isBroken = false
  for (;;) {
    const code = yield* source.skipSpace()
    if (code === -1 || (yield* firstSeen(block, stops)) !== undefined) return
    const character = String.fromCharCode(code)
    if (character === ']') {
      source.at++
      return
    }
    if (character === ',') source.at++
    else if (character === '{') {
      const pending = yield* readCallObject(block, stops)
      pending?.complete()
      isBroken ||= pending === undefined
    } else {
      if (!isBroken) callBuilder(block).malformed(`${JSON.stringify(character)} stands where a JSON object should`)
      if ((yield* skipBroken(source, { stops, depth: 1 })) !== 'stop') return
    }
  }
}

/** Reports the call in an object, also in the nested form `{function: {name, arguments}}`. */
export function callFromObject(builder: CallBuilder, value: JsonObject, written: LiteralText): void {
  const inner = value.function
  const isNested = typeof inner === 'object' && inner !== null && !nameKeys.some((key) => Object.hasOwn(value, key))
  const object = isNested ? (inner as JsonObject) : value
  builder.setName(member(object, nameKeys))
  builder.setId(member(value, idKeys))
  const key = argumentKeys.find((one) => Object.hasOwn(object, one))
  if (key === undefined) builder.call(undefined)
  else builder.call(object[key], isNested ? nestedText(value, key, written) : memberText(written, value, key))
}

function nestedText(value: JsonObject, key: string, written: LiteralText): string | undefined {
  const text = memberText(written, value, 'function')
  if (text === undefined) return undefined
  const { literal, written: inside } = parseWhole(text, (source) => readCallLiteral(source, text.length))
  return literal.ok ? memberText(inside, literal.value as JsonObject, key) : undefined
}

/** Reads a value as the arguments of a named call. An unreadable one is reported and skipped. */
export function* readArguments(
  block: Block,
  builder: CallBuilder,
  stops: readonly string[],
  syntax: LiteralSyntax = 'json',
): ParseGenerator<PendingCall | undefined> {
  const { source } = block
  const code = yield* source.skipSpace()
  if (code === -1) {
    builder.malformed('the text ends before its arguments')
    return undefined
  }
  if ((yield* firstSeen(block, stops)) !== undefined)
    return { complete: () => builder.call(undefined), fail: builder.malformed }
  const start = source.mark()
  const literal = yield* readLiteral(source, { syntax, limit: block.limit, closers: stops })
  const text = literal.ok && syntax === 'json' ? source.since(start) : undefined
  source.release()
  if (literal.ok) return { complete: () => builder.call(literal.value, text), fail: builder.malformed }
  builder.malformed(literal.message)
  yield* skipBroken(source, { stops, depth: Math.max(1, literal.depth), quote: literal.quote })
  return undefined
}

/** Reads to the closer and reports the call, or the invalid text before the closer. */
export function* endBlock(block: Block, end: CallsEnd, call: PendingCall | undefined): ParseGenerator<void> {
  const { source } = block
  const stops = [...end.closers, ...(end.openers ?? [])]
  let pending = call
  for (;;) {
    const code = yield* source.skipSpace()
    const isEnd = code === -1 || (yield* firstSeen(block, stops)) !== undefined
    if (isEnd) {
      pending?.complete()
      return yield* takeCloser(block, end.closers)
    }
    const character = String.fromCharCode(code)
    if ('}]>`'.includes(character)) source.at++
    else {
      pending?.fail(`${JSON.stringify(character)} stands where the call should end`)
      pending = undefined
      yield* skipBroken(source, { stops })
    }
  }
}

/** Takes the closer, also a doubled one, or half of one at the end of the reply. */
export function* takeCloser({ source }: Pick<Block, 'source'>, closers: readonly string[]): ParseGenerator<void> {
  for (const closer of closers) {
    const seen = yield* source.compare(closer, true)
    if (seen === 'no') continue
    source.at = seen === 'cut' ? source.window.length : source.at + closer.length
    const mark = source.mark()
    yield* source.skipSpace()
    if (yield* source.take(closer, true)) source.release()
    else source.rewind(mark)
    return
  }
}

/** Reads calls that each begin with `opener`, alone or one after the other in a section. */
export function* readCallSection(
  block: Block,
  opener: string,
  section: { hasOpened: boolean; closer: string },
  readCall: (block: Block) => ParseGenerator<void>,
): ParseGenerator<boolean> {
  const { source } = block
  if (section.hasOpened) {
    yield* source.skipSpace()
    if (!(yield* source.take(opener))) return false
  }
  block.commit()
  do {
    yield* readCall(block)
    yield* source.skipSpace()
  } while (yield* source.take(opener))
  yield* takeCloser(block, [section.closer])
  return true
}

/** The first of these texts that comes next, or whose beginning ends the reply. */
export function* firstSeen(
  { source }: Pick<Block, 'source'>,
  texts: readonly string[],
): ParseGenerator<string | undefined> {
  for (const text of texts) if ((yield* source.compare(text, true)) !== 'no') return text
  return undefined
}

/** True if the arguments are closed and only outer closers are missing. */
function isComplete(literal: Literal & { ok: false }): boolean {
  const value = literal.partial as JsonObject | undefined
  if (!literal.isBetween || literal.depth !== 1 || value === undefined) return false
  return member(value, nameKeys) !== undefined && argumentKeys.some((key) => Object.hasOwn(value, key))
}

function member(object: JsonObject | undefined, keys: readonly string[]): unknown {
  for (const key of keys) if (object && Object.hasOwn(object, key)) return object[key]
  return undefined
}

/** Skips a fence directly inside a block: three backticks and perhaps the word json. */
function* skipFence({ source }: Block): ParseGenerator<boolean> {
  if (!(yield* source.take('```'))) return false
  yield* source.take('json', true)
  return true
}

/** Reads call objects right after a marker; false if something else follows. */
export function* readMarkedCalls(block: Block, closers: string[]): ParseGenerator<boolean> {
  const { source } = block
  yield* source.skipSpace()
  if (!(yield* source.sees('[')) && !(yield* source.sees('{'))) return false
  block.commit()
  yield* readCalls(block, { closers })
  return true
}

/** Collects one intended call and reports it as a call or as an error. */
export interface CallBuilder {
  setName(name: unknown): void
  /** The id the model gave the call. */
  setId(id: unknown): void
  /** Reports the call, with its arguments as a value, and as written if that is JSON. */
  call(args: unknown, text?: string): void
  /** Reports the call, with arguments written as text and perhaps some that are already typed. */
  callWithText(
    values: Iterable<readonly [string, string]>,
    options?: TypingOptions & { typed?: [string, unknown][] },
  ): void
  /** Reports an error. `read` is what is known about the written form; the end of the block fills in the rest. */
  malformed: (message: string, read?: { argumentsText?: string; written?: string }) => void
}

const nameLimit = 120

export function callBuilder({ events, find }: Pick<Block, 'events' | 'find'>): CallBuilder {
  let written: string | undefined
  let tool: DeclaredTool | undefined
  let id: string | undefined

  const malformed: CallBuilder['malformed'] = (message, read = {}) => {
    const name = tool?.name ?? written
    const what = name === undefined ? 'A tool call' : `The call of ${name}`
    const sentence = `${what} could not be read: ${message}. Nothing was run.`
    const { written: all = '' } = read
    const argumentsText = tool && (read.argumentsText ?? '')
    events.call({
      type: 'error',
      kind: 'malformed',
      ...(name !== undefined && { name }),
      message: sentence,
      problem: message,
      ...(argumentsText !== undefined && { argumentsText }),
      written: all,
    })
  }
  const report = (args: JsonObject, text?: string, unread?: string): void => {
    const name = tool?.name ?? written
    if (name === undefined) {
      malformed('the tool name is missing')
      return
    }
    const call: ParsedCall = { type: 'call', name, arguments: args }
    if (text !== undefined) call.text = text
    if (unread !== undefined) call.unread = unread
    if (id !== undefined) call.id = id
    if (tool) events.call(call)
    else events.call({ ...call, type: 'error', kind: 'unknown-tool', message: `Unknown tool: ${written}` })
  }

  return {
    setName(name) {
      if (typeof name !== 'string' || tool !== undefined) return
      written = name.trim().slice(0, nameLimit) || undefined
      tool = find(name.trim())
    },
    setId(given) {
      if (typeof given === 'string' || typeof given === 'number')
        id = `${given}`.trim().slice(0, nameLimit) || undefined
    },
    call(args, text) {
      const object = argumentsObject(args)
      const unread = object === undefined ? (typeof args === 'string' ? args : JSON.stringify(args)) : undefined
      if (unread !== undefined && tool) malformed('its arguments are not a JSON object', { argumentsText: unread })
      else if (unread !== undefined) report({}, undefined, unread)
      else report(object ?? {}, typeof args === 'string' ? textOfObject(args) : isRecord(args) ? text : undefined)
    },
    callWithText(values, options) {
      const args = typeArguments(values, tool?.inputSchema ?? {}, options)
      for (const [key, value] of options?.typed ?? []) setMember(args, key, value)
      report(args)
    },
    malformed,
  }
}

/** Missing, null, empty and `{}` mean no arguments; a JSON string is parsed once. */
function argumentsObject(args: unknown): JsonObject | undefined {
  if (args === undefined || args === null) return {}
  if (typeof args === 'string') {
    const text = args.trim()
    if (text === '' || text === 'null') return {}
    const value = parseStructure(text)
    return isRecord(value) ? value : undefined
  }
  return isRecord(args) ? args : undefined
}

const textOfObject = (text: string): string | undefined => (/^\s*\{/.test(text) ? text : undefined)

/** The written arguments of an unreadable call: the text after their key, or all of it in forms without such a key. */
export function argumentsInText(text: string, name = ''): string {
  const whole = text.trim()
  const from = Math.max(0, whole.lastIndexOf(name))
  const key = /"(?:arguments|parameters)"\s*:\s*/.exec(whole.slice(from))
  if (key === null) return whole
  const start = from + key.index + key[0].length
  // The brace after the arguments closes the call; a tag or a fence may follow it.
  const end = /\}\s*(?:<\/?[^<>]*>|\]?\s*`{3,})?\s*$/.exec(whole.slice(start))
  return whole.slice(start, end ? start + end.index : undefined).trim()
}

/** A value that describes calls, and the positions of their arguments in its text. */
interface CallLiteral {
  literal: Literal
  written: LiteralText
}

export interface LiteralText {
  text: string
  places: { object: JsonObject; key: string; from: number; to: number }[]
}

/** Reads one JSON value: an object, or an array of objects. */
export function* readCallLiteral(
  source: TextSource,
  limit: number,
  closers?: readonly string[],
): ParseGenerator<CallLiteral> {
  const start = source.mark()
  const places: LiteralText['places'] = []
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

/** A member of one of the objects as written; undefined if it was not finished. */
export function memberText({ text, places }: LiteralText, object: JsonObject, key: string): string | undefined {
  let found: string | undefined
  for (const place of places) if (place.object === object && place.key === key) found = text.slice(place.from, place.to)
  return found
}

export interface LiteralCalls {
  complete: JsonObject[]
  /** An intended call that could not be read. */
  broken?: { value: JsonObject; message: string }
}

/**
 * Finds the calls in a value without a marker: one call or an array of calls; undefined for any other value. An
 * unreadable value counts as a call if `means` returns true.
 */
export function callsInLiteral(
  literal: Literal,
  is: (value: JsonObject) => boolean,
  means: (value: JsonObject) => boolean,
): LiteralCalls | undefined {
  const value = literal.ok ? literal.value : literal.partial
  const elements: unknown[] = Array.isArray(value) ? value : [value]
  if (elements.length === 0 || !elements.every(isRecord)) return undefined
  const outer = Array.isArray(value) ? 2 : 1
  const isComplete = literal.ok || (literal.problem === 'cut' && literal.isBetween && literal.depth <= outer)
  if (isComplete && elements.every(is)) return { complete: elements }
  if (literal.ok || literal.depth <= outer) return undefined
  const complete = elements.slice(0, -1)
  const last = elements.at(-1)
  if (last === undefined || !complete.every(is) || !means(last)) return undefined
  return { complete, broken: { value: last, message: literal.message } }
}
