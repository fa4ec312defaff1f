// Calls that have no marker: a reply that consists of nothing but calls, bare or in a fence.

import { isRecord } from '../is-record.js'
import { parseStructure, schemaMismatch } from './argument-types.js'
import { argumentsInText, callBuilder, type LiteralText, memberText, readCallLiteral } from './calls.js'
import type { Block, FindTool } from './dialect.js'
import type { JsonObject, ParsedReply } from './events.js'
import type { DialectName } from './families/index.js'
import { faults } from './faults.js'
import { readQuoted } from './literals.js'
import { type ParseGenerator, parseWhole } from './source.js'

/** A longer text before a call is an answer, not a lead-in. */
const leadLimit = 200

/** Words that introduce an example of a call. */
const exampleWords =
  /\b(?:examples?|e\.g|instance|like this|looks? like|such as|how to|you (?:can|could|may|might|would)|would|could|syntax|format|schema|template|beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|przykład)\b|примеру?|例|예(?:를|시)|उदाहरण|مثال/i

/**
 * Reads a reply that consists of calls, in a form without a marker or in a fence. Holds back the rest of the reply as
 * soon as it may be a call, and decides when it is complete. Only calls of offered tools with fitting arguments count;
 * an intended call that cannot run is an error.
 */
export function wholeReply(block: Block, expected: CallStarts, given: Pick<TextContext, 'readAs' | 'isQuotation'>) {
  const { source, find } = block
  let isDecided = false
  /** True if such a reply may still follow this text. */
  const mayFollow = (lead: string): boolean => !isDecided && lead.trimEnd().length <= leadLimit
  return {
    mayFollow,
    /** Tries to read one here; false if the reply is something else, and nothing was read. */
    *attempt(lead: string): ParseGenerator<boolean> {
      const before = lead.trim()
      if (!mayFollow(lead) || exampleWords.test(before)) return false
      const start = source.mark()
      yield* source.skipSpace()
      const here = source.mark()
      const may = yield* mayBeginCall(block, expected)
      source.rewind(here)
      const rest = may ? yield* readRest(block) : undefined
      const calls =
        rest === undefined
          ? undefined
          : callsInText(rest, { ...given, find, withMarked: expected.withMarked, isAlone: before === '' })
      // One decision per reply, so that the work stays linear.
      isDecided ||= rest !== undefined
      if (calls === undefined) {
        source.rewind(start)
        return false
      }
      source.release()
      for (const [at, call] of calls.entries()) reportCall(block, call, at === 0 ? (rest ?? '') : '')
      return true
    },
  }
}

function reportCall(block: Block, { name, id, args, text, fault, isShown }: BareCall, reply: string): void {
  // A call that may only be an example counts as a call of no offered tool.
  const builder = callBuilder(isShown ? { ...block, find: () => undefined } : block)
  builder.setName(name)
  builder.setId(id)
  if (fault === undefined) builder.call(args, text)
  else {
    const argumentsText = args === undefined ? argumentsInText(reply, name) : (text ?? asText(args))
    builder.malformed(fault, { argumentsText, written: reply.trim() })
  }
}

const asText = (args: unknown): string => (typeof args === 'string' ? args : JSON.stringify(args))

/** Reads the reply to its end; undefined if it is too long. */
function* readRest({ source, limit }: Block): ParseGenerator<string | undefined> {
  const start = source.mark()
  while ((yield* source.fill()) && source.offset - start <= limit) source.at = source.window.length
  const rest = source.offset - start <= limit ? source.since(start) : undefined
  source.release()
  return rest
}

const brace = 123
const bracket = 91
const closingBracket = 93
const angle = 60
const parenthesis = 40
const labelLimit = 100
const nameLimit = 120

/** Starts of a call besides brackets. */
interface CallStarts {
  /** The tools that may be called. */
  names: readonly string[]
  withMarked: boolean
}

/**
 * True if a call without a marker, or a fence with one, can begin here. Reads no further than necessary, so that other
 * text is shown at once.
 */
function* mayBeginCall(block: Block, { names, withMarked }: CallStarts): ParseGenerator<boolean> {
  const { source, find } = block
  const code = yield* source.peek()
  if (code === brace) return yield* mayBeginObject(block)
  if (code === bracket) return yield* mayBeginList(block)
  if (code === angle || code === closingBracket) return withMarked && (yield* mayBeginTag(block))
  const label = yield* readFence(block)
  if (label === undefined) return yield* mayBeginWords(block, names)
  const inside = yield* source.skipSpace()
  if (inside === brace) return find(label) !== undefined || (yield* mayBeginObject(block))
  if (inside === bracket) return yield* mayBeginList(block)
  return inside === angle || inside === closingBracket
    ? yield* mayBeginTag(block)
    : yield* mayBeginWords(block, [...names, 'print'])
}

/** `{"name": "search_notes"`, or another key of a call. */
function* mayBeginObject({ source, find }: Block): ParseGenerator<boolean> {
  source.at++
  const key = yield* readString({ source })
  if (key === undefined) return false
  if (!nameKeys.includes(key)) return argumentKeys.includes(key) || otherKeys.includes(key)
  if ((yield* source.skipSpace()) !== 58) return false
  source.at++
  if (key === 'function' && (yield* source.skipSpace()) === brace) return true
  const name = yield* readString({ source })
  return name !== undefined && isNameOfCall(name, find)
}

function* mayBeginList(block: Block): ParseGenerator<boolean> {
  const { source, find } = block
  source.at++
  if ((yield* source.skipSpace()) === brace) return yield* mayBeginObject(block)
  const name = yield* readName(block)
  return isNameOfCall(name, find) && (yield* source.skipSpace()) === parenthesis
}

/**
 * A tool's name and what follows it in a call: `search_notes(`, in a fence also inside `print(`, at the start also
 * `search_notes {`.
 */
function* mayBeginWords(block: Block, names: readonly string[]): ParseGenerator<boolean> {
  const { source } = block
  const name = yield* readName(block, names)
  if (!names.includes(name)) return false
  const next = yield* source.skipSpace()
  return next === parenthesis || (name !== 'print' && (next === brace || next === 58))
}

function* mayBeginTag({ source }: Block): ParseGenerator<boolean> {
  yield* source.need(24)
  return /^(?:<(?:[|｜]|(?:antml:|minimax:)?(?:tool|use_tool|function|start_function|invoke))|\]<\]minimax)/i.test(
    source.window.slice(source.at, source.at + 24),
  )
}

/** Reads a fence's opening line and returns its label; undefined if no fence opens here. */
function* readFence({ source }: Block): ParseGenerator<string | undefined> {
  let mark = ''
  for (const one of ['```', '~~~']) if (mark === '' && (yield* source.take(one))) mark = one.charAt(0)
  if (mark === '') return undefined
  while ((yield* source.fill()) && source.window.charAt(source.at) === mark) source.at++
  let label = ''
  while (label.length < labelLimit && (yield* source.fill())) {
    const character = source.window.charAt(source.at++)
    if (character === '\n') return label.trim()
    label += character
  }
  return undefined
}

function* readString({ source }: Pick<Block, 'source'>): ParseGenerator<string | undefined> {
  const code = yield* source.skipSpace()
  if (code !== 34 && code !== 39) return undefined
  source.at++
  const text = yield* readQuoted(source, String.fromCharCode(code), nameLimit)
  return 'value' in text ? text.value : undefined
}

/** Reads a name, or with `known` as much of it as one of those names begins with. */
function* readName({ source }: Block, known?: readonly string[]): ParseGenerator<string> {
  let name = ''
  while (name.length < nameLimit && (yield* source.fill())) {
    const character = source.window.charAt(source.at)
    if (!/[\w.-]/.test(character) || (name === '' && !/[A-Za-z_]/.test(character))) break
    name += character
    source.at++
    if (known?.every((one) => !one.startsWith(name))) break
  }
  return name
}

const isNameOfCall = (name: string, find: FindTool): boolean => find(name.trim()) !== undefined || isToolLike(name)

/** A call, or with a fault an intended call that cannot run. */
interface BareCall extends CallObject {
  fault?: string
  /** The call may be an example, because text follows it. */
  isShown?: boolean
}

/** A reply, and the fault of its first malformed call. */
type ReadText = ParsedReply & { problem?: string }

/** Reads a complete text in a dialect. */
export type ReadInDialect = (text: string, format: 'any' | DialectName) => ReadText

interface TextContext {
  find: FindTool
  readAs: ReadInDialect
  /** True if the model repeats this text from its prompt, so that it is no call. */
  isQuotation?: ((text: string) => boolean) | undefined
  /** Also finds calls with a marker, because no other reader does. */
  withMarked: boolean
  /** No text came before. */
  isAlone: boolean
}

/** A longer text after a fence explains what is in it. */
const trailLimit = 200

/** The calls a text consists of; undefined if it contains anything else. */
function callsInText(text: string, given: TextContext): BareCall[] | undefined {
  const calls: CallObject[] = []
  let rest = text.trim()
  while (rest !== '') {
    const part = nextPart(rest)
    const found = given.isQuotation?.(part.body) ? undefined : callsInPart(part, given)
    // Text after a leading call does not make the call an explanation.
    if (found === undefined) {
      return calls.length > 0 && given.isAlone && rest.length <= trailLimit ? withTextBehind(calls, given) : undefined
    }
    calls.push(...found.calls)
    if (found.fault) return withBrokenCall(calls, found.fault, given)
    if (found.trail) return given.isAlone ? withTextBehind(calls, given) : undefined
    rest = rest.slice(part.length).replace(/^[\s,;]+/, '')
  }
  return checkCalls(calls, given)
}

interface Part {
  body: string
  /** The label of the fence; undefined outside fences. */
  label?: string
  length: number
}

/** Splits off a fence, or the text up to the next fence. */
function nextPart(text: string): Part {
  const [opener, mark = '', label = ''] = /^(`{3,}|~{3,})([^\n`]*)\n/.exec(text) ?? []
  if (opener === undefined) {
    const next = /\n[ \t]*(?:```|~~~)/.exec(text)
    const length = next ? next.index : text.length
    return { body: text.slice(0, length), length }
  }
  const closer = new RegExp(`\\n?[ \\t]*${mark.charAt(0)}{${mark.length},}[ \\t]*(?=\\n|$)`, 'g')
  closer.lastIndex = opener.length
  const end = closer.exec(text)
  const body = text.slice(opener.length, end?.index ?? text.length)
  return { body, label: label.trim(), length: end ? closer.lastIndex : text.length }
}

interface FoundCalls {
  calls: CallObject[]
  /** Other text after the calls. */
  trail?: string
  /** An intended call that cannot be read. */
  fault?: { name: string; message: string }
}

function callsInPart({ body, label }: Part, { find, readAs, withMarked }: TextContext): FoundCalls | undefined {
  const text = body.trim()
  if (label !== undefined && find(label)?.name === label && text.startsWith('{')) {
    const args = parseStructure(text)
    const own = callsOfObject(args)
    return { calls: own ?? [{ name: label, args, text }] }
  }
  if (/^(?:\{|\[\s*\{)/.test(text)) return callsInJson(text)
  const [, name, args = ''] = /^([A-Za-z_][\w.-]*)\s*:?\s*(\{[\s\S]*\})$/.exec(text) ?? []
  if (name !== undefined) {
    const value = parseStructure(args)
    return value === undefined ? undefined : { calls: [{ name, args: value, text: args }] }
  }
  const printed = /^print\(([\s\S]*)\)$/.exec(text)?.[1] ?? text
  if (/^[A-Za-z_][\w.-]*\s*\(/.test(printed)) return callsOfReply(readAs(`[${printed}]`, 'pythonic'))
  if (text.startsWith('[')) return callsOfReply(readAs(text, 'pythonic'))
  // A marked call in a fence without a label is how we teach models to show one.
  return /^(?:<|\]<\])/.test(text) && (label === undefined ? withMarked : label !== '')
    ? callsOfReply(readAs(text, 'any'))
    : undefined
}

/** The calls read in another dialect, if the text contained nothing else. */
function callsOfReply({ calls, errors, text, problem = '' }: ReadText): FoundCalls | undefined {
  if (text.trim() !== '' || calls.length + errors.length === 0) return undefined
  const read = calls.map(({ name, arguments: args }): CallObject => ({ name, args }))
  const unknown = errors.flatMap(({ kind, name, arguments: args }) =>
    kind === 'unknown-tool' && name ? [{ name, args }] : [],
  )
  const broken = errors.find(({ kind }) => kind === 'malformed')
  return { calls: [...read, ...unknown], ...(broken && { fault: { name: broken.name ?? '', message: problem } }) }
}

/** Reads objects and arrays of objects, one after the other. */
function callsInJson(text: string): FoundCalls | undefined {
  return parseWhole(text, function* (source) {
    const calls: CallObject[] = []
    for (;;) {
      const { literal, written } = yield* readCallLiteral(source, text.length)
      const value = literal.ok ? literal.value : literal.partial
      const found = Array.isArray(value) ? callsOfAll(value, written) : callsOfObject(value, written)
      if (!literal.ok) {
        const last = found?.at(-1) ?? callsOfObject(Array.isArray(value) ? value.at(-1) : value)?.[0]
        return last && { calls, fault: { name: last.name, message: literal.message } }
      }
      if (found === undefined) return undefined
      calls.push(...found)
      const separator = yield* source.skipSpace()
      if (separator === 44 || separator === 59) source.at++
      const next = yield* source.skipSpace()
      if (next === -1) return { calls }
      if (next !== 123 && next !== 91) return { calls, trail: text.slice(source.at) }
    }
  })
}

/** Every call must be of an offered tool; an unknown name counts only if the reply contains nothing else. */
function checkCalls(calls: readonly CallObject[], { find, isAlone }: TextContext): BareCall[] | undefined {
  const results = calls.map((call): BareCall | undefined => {
    const tool = find(call.name)
    if (tool === undefined) return isAlone && isToolLike(call.name) && call.args !== undefined ? call : undefined
    const args = typeof call.args === 'string' ? (parseStructure(call.args.trim()) ?? call.args) : (call.args ?? {})
    if (typeof args !== 'object' || args === null || Array.isArray(args)) {
      return { ...call, fault: faults.notAnObject }
    }
    const fault = schemaMismatch(args as Record<string, unknown>, tool.inputSchema)
    return fault === undefined ? call : { ...call, fault }
  })
  return results.length > 0 && results.every((call) => call !== undefined) ? results : undefined
}

function withBrokenCall(
  calls: readonly CallObject[],
  { name, message }: { name: string; message: string },
  given: TextContext,
) {
  if (given.find(name) === undefined) return undefined
  const others = calls.length === 0 ? [] : checkCalls(calls, given)
  return others && [...others, { name, args: undefined, fault: message }]
}

/** A call with text after it might be an example: the model is asked to make it again. */
function withTextBehind(calls: readonly CallObject[], given: TextContext): BareCall[] | undefined {
  const fault = 'text follows the call. Make the call again with nothing after it, or answer in text'
  return checkCalls(calls, given)?.map((call) => ({ ...call, fault: call.fault ?? fault, isShown: true }))
}

/** The keys models use for the name of the tool, its arguments, and the rest, in a call written as an object. */
const nameKeys = ['name', 'tool_name', 'tool', 'function', 'function_name', 'action']
const argumentKeys = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'action_input',
  'tool_input',
  'tool_arguments',
]
const otherKeys = ['id', 'call_id', 'tool_call_id', 'type', 'tool_calls', 'index']

interface CallObject {
  name: string
  id?: unknown
  args: unknown
  /** The arguments as written. */
  text?: string | undefined
}

/** The calls an object describes; undefined unless all its keys are those of a call. */
function callsOfObject(value: unknown, written?: LiteralText): CallObject[] | undefined {
  if (!isRecord(value)) return undefined
  if (Array.isArray(value.tool_calls)) return callsOfAll(value.tool_calls)
  if (isRecord(value.function)) {
    const inner = callsOfObject(value.function)
    return inner?.map((call) => ({ ...call, id: call.id ?? idOf(value) }))
  }
  const keys = Object.keys(value)
  const name = keys.find((key) => nameKeys.includes(key) && typeof value[key] === 'string')
  const [key, ...otherArguments] = keys.filter((one) => argumentKeys.includes(one))
  const isCall = keys.every((one) => one === name || one === key || otherKeys.includes(one))
  if (name === undefined || otherArguments.length > 0 || !isCall) return undefined
  const text = written && key !== undefined ? memberText(written, value, key) : undefined
  const args = key === undefined ? undefined : value[key]
  return [{ name: (value[name] as string).trim(), id: idOf(value), args, text }]
}

function callsOfAll(values: readonly unknown[], written?: LiteralText): CallObject[] | undefined {
  const calls = values.map((value) => callsOfObject(value, written))
  return calls.length > 0 && calls.every((one) => one !== undefined) ? calls.flat() : undefined
}

const idOf = ({ id, call_id: callId, tool_call_id: toolCallId }: JsonObject): unknown => id ?? callId ?? toolCallId

/** True if a name looks like a tool's, made of several words: `find_notes`, `findNotes`. */
function isToolLike(name: string): boolean {
  return /^(?:[a-z]+(?:[_-][a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+)$/.test(name.trim())
}
