import * as z from 'zod'
import { Failure } from '../../errors.js'
import type { Tool } from '../tool.js'
import { foreignReasons } from './foreign-schema.js'
import { inputSchema } from './input-schema.js'
import { plainJson } from './plain-json.js'
import { absentNulls, unknownFields } from './schema-fields.js'

// Zod would otherwise build functions from text, which a page with a strict policy forbids.
z.config({ jitless: true })

/** The checked arguments of a call, frozen; or one sentence that says what to correct. */
export function parseInput(tool: Tool, given: unknown): unknown {
  const input = readInput(tool, given)
  if ('jsonSchema' in tool.input) {
    const reasons = foreignReasons(tool.input, input)
    if (reasons.length > 0) throw invalid(tool, reasons)
    return frozen(input)
  }
  const schema = inputSchema(tool)
  // Models that fill in every optional field write null where they mean nothing.
  const meant = absentNulls(schema, input)
  const isEmpty = tool.input instanceof z.ZodVoid || tool.input instanceof z.ZodUndefined
  const parsed = z.safeParse(tool.input as z.core.$ZodType, isEmpty ? undefined : meant)
  const unknown = unknownFields(schema, meant)
  const reasons = [...(parsed.success ? [] : parsed.error.issues.map(reason)), ...unknown]
  if (!parsed.success || reasons.length > 0) throw invalid(tool, reasons)
  return frozen(parsed.data)
}

function readInput(tool: Tool, given: unknown): unknown {
  try {
    return plainJson(given)
  } catch (error) {
    if (error instanceof Failure) throw new Failure(error.code, `Tool ${tool.name} validation failed: ${error.message}`)
    throw error
  }
}

function invalid(tool: Tool, reasons: string[]): Failure {
  const shown = reasons.slice(0, 10)
  if (reasons.length > shown.length) shown.push(`and ${reasons.length - shown.length} more`)
  return new Failure('invalid-input', `Tool ${tool.name} validation failed: ${shown.join(', ')}`)
}

function reason(issue: z.core.$ZodIssue): string {
  const field = issue.path.length === 0 ? 'input' : issue.path.map(String).join('.')
  const message = issue.message.replace(/^Invalid input: /, '')
  return `${field}: ${message === 'expected string, received undefined' ? 'required' : message}`
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const child of Object.values(value)) frozen(child)
  }
  return value
}
