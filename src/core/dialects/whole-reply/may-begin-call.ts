import type { Block } from '../dialect.js'
import type { FindTool } from '../reader-tool.js'
import type { Reading } from '../source.js'
import { readQuoted } from '../values/literal-string.js'
import { argumentKeys, nameKeys, otherKeys } from './call-object.js'
import { isToolLike } from './tool-like.js'

const brace = 123
const bracket = 91
const closingBracket = 93
const angle = 60
const parenthesis = 40
const labelLimit = 100
const nameLimit = 120

/** What a call may begin with besides brackets. */
export interface Expected {
  /** The tools that may be called. */
  names: readonly string[]
  withMarked: boolean
}

/** Whether a call without a marker, or a fence with one, can begin here. Sees no further than it must, so that other text is shown at once. */
export function* mayBeginCall(block: Block, { names, withMarked }: Expected): Reading<boolean> {
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

/** `{"name": "search_notes"`, or another key that calls have. */
function* mayBeginObject({ source, find }: Block): Reading<boolean> {
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

function* mayBeginList(block: Block): Reading<boolean> {
  const { source, find } = block
  source.at++
  if ((yield* source.skipSpace()) === brace) return yield* mayBeginObject(block)
  const name = yield* readName(block)
  return isNameOfCall(name, find) && (yield* source.skipSpace()) === parenthesis
}

/** A tool's own name with what belongs to it: `search_notes(`, in a fence also in `print(`, at the start also `search_notes {`. */
function* mayBeginWords(block: Block, names: readonly string[]): Reading<boolean> {
  const { source } = block
  const name = yield* readName(block, names)
  if (!names.includes(name)) return false
  const next = yield* source.skipSpace()
  return next === parenthesis || (name !== 'print' && (next === brace || next === 58))
}

function* mayBeginTag({ source }: Block): Reading<boolean> {
  yield* source.need(24)
  return /^(?:<(?:[|｜]|(?:antml:|minimax:)?(?:tool|use_tool|function|start_function|invoke))|\]<\]minimax)/i.test(
    source.window.slice(source.at, source.at + 24),
  )
}

/** The label of the fence that opens here; undefined when none does. */
function* readFence({ source }: Block): Reading<string | undefined> {
  let mark = ''
  for (const one of ['```', '~~~']) if (mark === '' && (yield* source.take(one))) mark = one[0]
  if (mark === '') return undefined
  while ((yield* source.fill()) && source.window[source.at] === mark) source.at++
  let label = ''
  while (label.length < labelLimit && (yield* source.fill())) {
    const character = source.window[source.at++]
    if (character === '\n') return label.trim()
    label += character
  }
  return undefined
}

function* readString({ source }: Pick<Block, 'source'>): Reading<string | undefined> {
  const code = yield* source.skipSpace()
  if (code !== 34 && code !== 39) return undefined
  source.at++
  const text = yield* readQuoted(source, String.fromCharCode(code), nameLimit)
  return 'value' in text ? text.value : undefined
}

/** A name, or with `known` as much of it as one of those begins with. */
function* readName({ source }: Block, known?: readonly string[]): Reading<string> {
  let name = ''
  while (name.length < nameLimit && (yield* source.fill())) {
    const character = source.window[source.at]
    if (!/[\w.-]/.test(character) || (name === '' && !/[A-Za-z_]/.test(character))) break
    name += character
    source.at++
    if (known?.every((one) => !one.startsWith(name))) break
  }
  return name
}

const isNameOfCall = (name: string, find: FindTool): boolean => find(name.trim()) !== undefined || isToolLike(name)
