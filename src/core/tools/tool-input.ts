import { type SchemaDraft, Validator } from '@cfworker/json-schema'
import * as z from 'zod'
import { Failure, type FailureCode, type FailureDetails } from '../errors.js'
import { isRecord } from '../is-record.js'
import type { ForeignSchema, Tool, ZodSchema } from './tool.js'

// Zod would otherwise build functions from text, which a page with a strict policy forbids.
z.config({ jitless: true })

/** Returns the checked arguments of a call, frozen; throws one sentence about the error. */
export function parseInput(tool: Tool, given: unknown): unknown {
  const input = readInput(tool, given)
  if ('jsonSchema' in tool.input) {
    const reasons = schemaReasons(tool.input, input)
    if (reasons.length > 0) throw invalidInput(tool, reasons)
    return deepFreeze(input)
  }
  const schema = inputSchema(tool)
  // Models that fill in every optional field write null where they mean nothing.
  const meant = withoutNulls(schema, input)
  // The library collects one error for each entry, and cannot hold hundreds of thousands.
  const long = longList(meant)
  if (long !== undefined) throw invalidInput(tool, [`${long}: at most ${mostEntries.toLocaleString('en')} entries`])
  const isEmpty = tool.input instanceof z.ZodVoid || tool.input instanceof z.ZodUndefined
  const parsed = z.safeParse(tool.input as z.core.$ZodType, isEmpty ? undefined : meant)
  const unknown = unknownFields(schema, meant)
  const reasons = [...(parsed.success ? [] : parsed.error.issues.map(issueReason)), ...unknown]
  if (!parsed.success || reasons.length > 0) throw invalidInput(tool, reasons)
  return deepFreeze(parsed.data)
}

const mostEntries = 50_000

/** The path of a list with too many entries; `input` if the list is the input itself. */
function longList(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value)
  if (entries.length > mostEntries) return path.join('.') || 'input'
  for (const [name, inner] of entries) {
    const found = longList(inner, [...path, name])
    if (found !== undefined) return found
  }
  return undefined
}

function readInput(tool: Tool, given: unknown): unknown {
  try {
    return plainJson(given)
  } catch (error) {
    // Its code stays: arguments can also be too large.
    if (error instanceof Failure) throw validationFailure(tool.name, error.message, {}, error.code)
    throw error
  }
}

function invalidInput(tool: Tool, reasons: string[]): Failure {
  const shown = reasons.slice(0, 10)
  if (reasons.length > shown.length) shown.push(`and ${reasons.length - shown.length} more`)
  return validationFailure(tool.name, shown.join(', '))
}

/** The failure of a call whose arguments are wrong. Front ends recognize it by `data.validation`, never by its words. */
export function validationFailure(
  tool: string,
  reason: string,
  details: FailureDetails = {},
  code: FailureCode = 'invalid-input',
): Failure {
  const data = { ...details.data, validation: reason }
  return new Failure(code, `Tool ${tool} validation failed: ${reason}`, { ...details, data })
}

function issueReason(issue: z.core.$ZodIssue): string {
  const field = issue.path.length === 0 ? 'input' : issue.path.map(String).join('.')
  const message = issue.message.replace(/^Invalid input: /, '')
  return `${field}: ${message === 'expected string, received undefined' ? 'required' : message}`
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const child of Object.values(value)) deepFreeze(child)
  }
  return value
}

/** Arguments beyond this are a mistake or an attack; the longest note one can write is shorter. */
const mostCharacters = 16_000_000
const maxDepth = 64

/**
 * Copies a call's arguments as plain JSON without getters, cycles or prototypes, so that the original can change
 * without effect. A string is parsed as JSON.
 */
function plainJson(input: unknown): unknown {
  if (input === undefined || input === null || input === '') return {}
  const text = typeof input === 'string' ? input : stringify(input)
  if (text.length > mostCharacters) {
    throw new Failure('too-large', `input: longer than ${mostCharacters.toLocaleString('en')} characters`)
  }
  if (isTooDeep(text)) throw new Failure('invalid-input', `input: nested deeper than ${maxDepth} levels`)
  try {
    return JSON.parse(text) ?? {}
  } catch (error) {
    throw new Failure('invalid-input', `input: not valid JSON (${(error as Error).message})`)
  }
}

function stringify(input: unknown): string {
  try {
    return JSON.stringify(input) ?? ''
  } catch {
    throw new Failure('invalid-input', 'input: cannot be written as JSON')
  }
}

/** Looks before `JSON.parse` builds anything. Brackets inside strings do not count. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === backslash) at++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === openBrace || code === openBracket) {
      if (++depth > maxDepth) return true
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return false
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93]

const maxUnknownFields = 20

/** Fields a schema does not know, at any depth: a misspelled filter must not be silently ignored. */
function unknownFields(schema: JsonSchema, value: unknown, path: string[] = []): string[] {
  if (Array.isArray(value)) {
    const items = asSchema(schema.items)
    return items === undefined ? [] : value.flatMap((item, at) => unknownFields(items, item, [...path, `${at}`]))
  }
  const properties = asSchema(schema.properties)
  if (!isRecord(value) || properties === undefined) return []
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false
  const unknown: string[] = []
  for (const [name, child] of Object.entries(value)) {
    // A few are enough for an error message; there may be millions.
    if (unknown.length > maxUnknownFields) break
    const known = Object.hasOwn(properties, name) ? asSchema(properties[name]) : undefined
    if (known !== undefined) unknown.push(...unknownFields(known, child, [...path, name]))
    else if (!isOpen)
      unknown.push(
        `${[...path, name.slice(0, 100)].join('.')}: unknown field (available: ${Object.keys(properties).join(', ')})`,
      )
  }
  return unknown
}

/** The value without nulls that represent an omitted optional field. */
function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  const properties = asSchema(schema.properties)
  if (!isRecord(value) || properties === undefined) return value
  const required = Array.isArray(schema.required) ? schema.required : []
  const kept: Record<string, unknown> = {}
  for (const [name, child] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? asSchema(properties[name]) : undefined
    const isLeftOut = child === null && known !== undefined && !required.includes(name) && !acceptsNull(known)
    if (isLeftOut) continue
    Object.defineProperty(kept, name, {
      value: known === undefined ? child : withoutNulls(known, child),
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return kept
}

function acceptsNull(schema: JsonSchema): boolean {
  if (schema.type === undefined && schema.enum === undefined && schema.const === undefined) return true
  return schema.type === 'null' || (Array.isArray(schema.type) && schema.type.includes('null'))
}

function asSchema(value: unknown): JsonSchema | undefined {
  return isRecord(value) ? value : undefined
}

/** A JSON Schema. */
export type JsonSchema = Record<string, unknown>

const inputSchemas = new WeakMap<Tool, JsonSchema>()

/** The JSON Schema of a tool's input, as models and clients get it. A foreign one is passed on unchanged. */
export function inputSchema(tool: Tool): JsonSchema {
  if ('jsonSchema' in tool.input) return tool.input.jsonSchema
  let schema = inputSchemas.get(tool)
  if (schema === undefined) {
    // Every provider wants an object at the top, also for no parameters at all and for a choice between objects.
    const { type: _type, ...rest } = jsonSchemaOf(tool.input, 'input')
    schema = {
      type: 'object',
      ...(rest.oneOf === undefined && rest.anyOf === undefined && { properties: {} }),
      ...rest,
    }
    inputSchemas.set(tool, schema)
  }
  return schema
}

/** The JSON Schema of a tool's structured result; undefined for foreign tools that declare none. */
export function outputSchema(tool: Tool): JsonSchema | undefined {
  return tool.output === undefined ? undefined : jsonSchemaOf(tool.output, 'output')
}

function jsonSchemaOf(schema: ZodSchema, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema as z.core.$ZodType, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => dropNoise(jsonSchema as JsonSchema),
  })
  return rest
}

/** Every byte of a schema costs tokens, so meaningless parts are removed. */
function dropNoise(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames
  if (JSON.stringify(schema.additionalProperties) === '{}') delete schema.additionalProperties
}

const validators = new WeakMap<JsonSchema, Validator>()

/** Reasons why a value does not fit a foreign schema, as `field: reason`. */
export function schemaReasons({ jsonSchema }: ForeignSchema, value: unknown): string[] {
  let validator = validators.get(jsonSchema)
  if (validator === undefined) {
    validator = new Validator(withoutCostlyPatterns(jsonSchema) as JsonSchema, draftOf(jsonSchema), false)
    validators.set(jsonSchema, validator)
  }
  const { valid, errors } = validator.validate(value)
  if (valid) return []
  // Containers repeat the errors of their members: keep the innermost.
  const inner = errors.filter(({ keyword }) => !['properties', 'items', '$ref', 'allOf'].includes(keyword))
  const reasons = (inner.length > 0 ? inner : errors).map(({ instanceLocation, error }) => {
    const field = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.')
    return `${field === '' ? 'input' : field}: ${error.replace(/\.$/, '')}`
  })
  return [...new Set(reasons)]
}

function draftOf({ $schema }: JsonSchema): SchemaDraft {
  if (typeof $schema !== 'string') return '2020-12'
  if (/draft-0?4/.test($schema)) return '4'
  if (/draft-0?[67]/.test($schema)) return '7'
  return $schema.includes('2019-09') ? '2019-09' : '2020-12'
}

/**
 * A pattern that can backtrack without end would let a stranger's schema hang us on an argument of fifty letters.
 * The stranger's server checks it again anyway, so such a pattern is left to it.
 */
function withoutCostlyPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutCostlyPatterns)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(
    ([key, value]) => !(key === 'pattern' && typeof value === 'string' && isCostly(value)),
  )
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      key === 'patternProperties' ? withoutCostlyKeys(value) : withoutCostlyPatterns(value),
    ]),
  )
}

function withoutCostlyKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([pattern]) => !isCostly(pattern))
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutCostlyPatterns(child)]))
}

/** A group that repeats something repeated or chosen, a back reference, or a great length. */
function isCostly(pattern: string): boolean {
  return (
    pattern.length > 500 ||
    /\([^)]*[+*|}][^)]*\)\s*[+*{]/.test(pattern) ||
    /\\[1-9k]/.test(pattern) ||
    /(?:[+*}][^)(]*){4}/.test(pattern)
  )
}
