import type { Block } from './dialect.js'
import type { CallRead, JsonObject } from './reader-event.js'
import type { ToolName } from './reader-tool.js'
import { setMember } from './values/read-literal.js'
import { parseStructure, type TypingOptions, typeArguments } from './values/type-value.js'

/** One thing that was meant as a call, from the moment it begins until it is a call or an error. */
export interface CallTicket {
  named(name: unknown): void
  /** What the model itself calls this call. */
  identified(id: unknown): void
  /** The call, with its arguments as a value of any kind, and as they were written where that is JSON. */
  call(args: unknown, text?: string): void
  /** The call, with arguments written as text, and perhaps some that have a value already. */
  callWithText(
    values: Iterable<readonly [string, string]>,
    options?: TypingOptions & { typed?: [string, unknown][] },
  ): void
  malformed: (message: string) => void
}

const nameLimit = 120

export function callTicket({ events, find }: Pick<Block, 'events' | 'find'>): CallTicket {
  let written: string | undefined
  let tool: ToolName | undefined
  let id: string | undefined

  const malformed = (message: string): void => {
    const name = tool?.name ?? written
    const what = name === undefined ? 'A tool call' : `The call of ${name}`
    const sentence = `${what} could not be read: ${message}. Nothing was run.`
    events.call({ type: 'error', kind: 'malformed', ...(name !== undefined && { name }), message: sentence })
  }
  const report = (args: JsonObject, text?: string): void => {
    const name = tool?.name ?? written
    if (name === undefined) {
      malformed('it names no tool')
      return
    }
    const call: CallRead = { type: 'call', name, arguments: args }
    if (text !== undefined) call.text = text
    if (id !== undefined) call.id = id
    if (tool) events.call(call)
    else events.call({ ...call, type: 'error', kind: 'unknown-tool', message: `Unknown tool: ${written}` })
  }

  return {
    named(name) {
      if (typeof name !== 'string' || tool !== undefined) return
      written = name.trim().slice(0, nameLimit) || undefined
      tool = find(name.trim())
    },
    identified(given) {
      if (typeof given === 'string' || typeof given === 'number')
        id = `${given}`.trim().slice(0, nameLimit) || undefined
    },
    call(args, text) {
      const object = argumentsObject(args)
      if (object === undefined && tool) malformed('its arguments are no JSON object')
      else report(object ?? {}, typeof args === 'string' ? textOfObject(args) : isObject(args) ? text : undefined)
    },
    callWithText(values, options) {
      const args = typeArguments(values, tool?.inputSchema ?? {}, options)
      for (const [key, value] of options?.typed ?? []) setMember(args, key, value)
      report(args)
    },
    malformed,
  }
}

/** Missing, null, empty and `{}` mean none; a JSON string is parsed once. */
function argumentsObject(args: unknown): JsonObject | undefined {
  if (args === undefined || args === null) return {}
  if (typeof args === 'string') {
    const text = args.trim()
    if (text === '' || text === 'null') return {}
    const value = parseStructure(text)
    return isObject(value) ? value : undefined
  }
  return isObject(args) ? args : undefined
}

const textOfObject = (text: string): string | undefined => (/^\s*\{/.test(text) ? text : undefined)

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
