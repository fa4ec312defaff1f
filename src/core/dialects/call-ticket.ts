import type { Block } from './dialect.js'
import type { JsonObject } from './reader-event.js'
import type { ToolName } from './reader-tool.js'
import { setMember } from './values/read-literal.js'
import { parseStructure, type TypingOptions, typeArguments } from './values/type-value.js'

/** One thing that was meant as a call, from the moment it begins until it is a call or an error. */
export interface CallTicket {
  /** The name is known. Told at once, so that a front end can show what is coming. */
  named(name: unknown): void
  /** The call, with its arguments as a value of any kind. */
  call(args: unknown): void
  /** The call, with arguments written as text, and perhaps some that have a value already. */
  callWithText(
    values: Iterable<readonly [string, string]>,
    options?: TypingOptions & { typed?: [string, unknown][] },
  ): void
  malformed(message: string): void
}

const nameLimit = 120

export function callTicket({ events, find }: Pick<Block, 'events' | 'find'>): CallTicket {
  let index: number | undefined
  let written: string | undefined
  let tool: ToolName | undefined

  const number = (): number => (index ??= events.callStart(tool?.name))
  const malformed = (message: string): void => {
    const name = tool?.name ?? written
    const what = name === undefined ? 'A tool call' : `The call of ${name}`
    events.error(number(), 'malformed', `${what} could not be read: ${message}. Nothing was run.`, name)
  }
  /** The tool, or undefined once it has been said why there is none. */
  const known = (): ToolName | undefined => {
    if (tool) return tool
    if (written === undefined) malformed('it names no tool')
    else events.error(number(), 'unknown-tool', `Unknown tool: ${written}`, written)
    return undefined
  }

  return {
    named(name) {
      if (typeof name !== 'string' || tool !== undefined) return
      written = name.trim().slice(0, nameLimit) || undefined
      tool = find(name.trim())
      if (tool) number()
    },
    call(args) {
      if (!known()) return
      const object = argumentsObject(args)
      if (object === undefined) malformed('its arguments are no JSON object')
      else events.call(number(), tool!.name, object)
    },
    callWithText(values, options) {
      if (!known()) return
      const args = typeArguments(values, tool!.inputSchema, options)
      for (const [key, value] of options?.typed ?? []) setMember(args, key, value)
      events.call(number(), tool!.name, args)
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

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
