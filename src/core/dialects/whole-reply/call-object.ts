import type { JsonObject } from '../reader-event.js'
import { memberText, type Written } from '../values/call-literal.js'

/** What models call the name of the tool, its arguments, and the rest, when they write a call as an object. */
export const nameKeys = ['name', 'tool_name', 'tool', 'function', 'function_name', 'action']
export const argumentKeys = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'action_input',
  'tool_input',
  'tool_arguments',
]
export const otherKeys = ['id', 'call_id', 'tool_call_id', 'type', 'tool_calls', 'index']

export interface CallObject {
  name: string
  id?: unknown
  args: unknown
  /** The arguments as they were written. */
  text?: string
}

/** The calls that an object describes, undefined when it is something else: all its keys must be those of a call. */
export function callsOfObject(value: unknown, written?: Written): CallObject[] | undefined {
  if (!isObject(value)) return undefined
  if (Array.isArray(value.tool_calls)) return callsOfAll(value.tool_calls)
  if (isObject(value.function)) {
    const inner = callsOfObject(value.function)
    return inner?.map((call) => ({ ...call, id: call.id ?? idOf(value) }))
  }
  const keys = Object.keys(value)
  const name = keys.find((key) => nameKeys.includes(key) && typeof value[key] === 'string')
  const args = keys.filter((key) => argumentKeys.includes(key))
  const isCall = keys.every((key) => key === name || args.includes(key) || otherKeys.includes(key))
  if (name === undefined || args.length > 1 || !isCall) return undefined
  const text = written && args.length === 1 ? memberText(written, value, args[0]) : undefined
  return [{ name: (value[name] as string).trim(), id: idOf(value), args: value[args[0]], text }]
}

export function callsOfAll(values: readonly unknown[], written?: Written): CallObject[] | undefined {
  const calls = values.map((value) => callsOfObject(value, written))
  return calls.length > 0 && calls.every((one) => one !== undefined) ? calls.flat() : undefined
}

const idOf = ({ id, call_id: callId, tool_call_id: toolCallId }: JsonObject): unknown => id ?? callId ?? toolCallId

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
