import { type CallTicket, callTicket } from '../call-ticket.js'
import type { Block } from '../dialect.js'
import type { JsonObject } from '../reader-event.js'
import { type Reading, readWhole } from '../source.js'
import { memberText, readCallLiteral, type Written } from './call-literal.js'
import { type Literal, type LiteralSyntax, readLiteral } from './read-literal.js'
import { skipBroken } from './skip-broken.js'

export interface CallsEnd {
  /** Ends the block and belongs to it. Empty when the block ends with its value. */
  closers: readonly string[]
  /** Starts the next block: the closer was forgotten. */
  openers?: readonly string[]
}

const names = ['name', 'tool_name']
const idNames = ['id', 'call_id', 'tool_call_id']
const argumentNames = ['arguments', 'parameters']

/** A call that has been read but may still turn out to be followed by something that makes no sense. */
export interface PendingCall {
  complete(): void
  fail(message: string): void
}

/** Reads call objects, one or several, or arrays of them, up to the end of the block. */
export function* readCalls(block: Block, end: CallsEnd): Reading<void> {
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
      else if (!isBroken) callTicket(block).malformed(message)
      pending = undefined
      isBroken = true
      yield* skipBroken(source, { stops })
    }
    if (end.closers.length === 0) return pending?.complete()
  }
}

/** Reads one object. What cannot be read is reported and passed over. */
function* readCallObject(block: Block, stops: readonly string[]): Reading<PendingCall | undefined> {
  const ticket = callTicket(block)
  const { literal, written } = yield* readCallLiteral(block.source, block.limit, stops)
  const value = literal.ok ? literal.value : isComplete(literal) ? literal.partial : undefined
  if (value !== undefined) {
    return { complete: () => callFromObject(ticket, value as JsonObject, written), fail: ticket.malformed }
  }
  ticket.named(member((literal.ok ? undefined : literal.partial) as JsonObject, names))
  if (literal.ok) return undefined
  ticket.malformed(literal.message)
  yield* skipBroken(block.source, { stops, depth: literal.depth, quote: literal.quote })
  return undefined
}

/** Reads the elements of an array, from behind its bracket. Complete ones run, whatever happens to the others. */
export function* readCallArray(block: Block, stops: readonly string[]): Reading<void> {
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
      if (!isBroken) callTicket(block).malformed(`${JSON.stringify(character)} stands where a JSON object should`)
      if ((yield* skipBroken(source, { stops, depth: 1 })) !== 'stop') return
    }
  }
}

/** Reports the call that an object describes; also the nested form `{function: {name, arguments}}`. */
export function callFromObject(ticket: CallTicket, value: JsonObject, written: Written): void {
  const inner = value.function
  const isNested = typeof inner === 'object' && inner !== null && !names.some((key) => Object.hasOwn(value, key))
  const object = isNested ? (inner as JsonObject) : value
  ticket.named(member(object, names))
  ticket.identified(member(value, idNames))
  const key = argumentNames.find((one) => Object.hasOwn(object, one))
  if (key === undefined) ticket.call(undefined)
  else ticket.call(object[key], isNested ? nestedText(value, key, written) : memberText(written, value, key))
}

function nestedText(value: JsonObject, key: string, written: Written): string | undefined {
  const text = memberText(written, value, 'function')
  if (text === undefined) return undefined
  const { literal, written: inside } = readWhole(text, (source) => readCallLiteral(source, text.length))
  return literal.ok ? memberText(inside, literal.value as JsonObject, key) : undefined
}

/** Reads a value as the arguments of a call whose name is known. What cannot be read is reported and passed over. */
export function* readArguments(
  block: Block,
  ticket: CallTicket,
  stops: readonly string[],
  syntax: LiteralSyntax = 'json',
): Reading<PendingCall | undefined> {
  const { source } = block
  const code = yield* source.skipSpace()
  if (code === -1) {
    ticket.malformed('the text ends before its arguments')
    return undefined
  }
  if ((yield* firstSeen(block, stops)) !== undefined)
    return { complete: () => ticket.call(undefined), fail: ticket.malformed }
  const start = source.mark()
  const literal = yield* readLiteral(source, { syntax, limit: block.limit, closers: stops })
  const text = literal.ok && syntax === 'json' ? source.since(start) : undefined
  source.release()
  if (literal.ok) return { complete: () => ticket.call(literal.value, text), fail: ticket.malformed }
  ticket.malformed(literal.message)
  yield* skipBroken(source, { stops, depth: Math.max(1, literal.depth), quote: literal.quote })
  return undefined
}

/** Reads on to the closer and reports the call, or what stands there instead. */
export function* endBlock(block: Block, end: CallsEnd, call: PendingCall | undefined): Reading<void> {
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

/** The closer, and once more if it was doubled; also half a closer, where the reply ends in it. */
export function* takeCloser({ source }: Pick<Block, 'source'>, closers: readonly string[]): Reading<void> {
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

/** The first of these texts that comes next, or begins to come where the reply ends. */
export function* firstSeen({ source }: Pick<Block, 'source'>, texts: readonly string[]): Reading<string | undefined> {
  for (const text of texts) if ((yield* source.compare(text, true)) !== 'no') return text
  return undefined
}

/** The arguments are closed: only outer closers are missing. */
function isComplete(literal: Literal & { ok: false }): boolean {
  const value = literal.partial as JsonObject | undefined
  if (!literal.isBetween || literal.depth !== 1 || value === undefined) return false
  return member(value, names) !== undefined && argumentNames.some((key) => Object.hasOwn(value, key))
}

function member(object: JsonObject | undefined, keys: readonly string[]): unknown {
  for (const key of keys) if (object && Object.hasOwn(object, key)) return object[key]
  return undefined
}

/** A fence directly inside a block: three backticks and perhaps the word json. */
function* skipFence({ source }: Block): Reading<boolean> {
  if (!(yield* source.take('```'))) return false
  yield* source.take('json', true)
  return true
}

/** Call objects right behind a marker; false when something else stands there. */
export function* readMarkedCalls(block: Block, closers: string[]): Reading<boolean> {
  const { source } = block
  yield* source.skipSpace()
  if (!(yield* source.sees('[')) && !(yield* source.sees('{'))) return false
  block.commit()
  yield* readCalls(block, { closers })
  return true
}
