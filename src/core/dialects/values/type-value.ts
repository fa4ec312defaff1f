import type { JsonSchema } from '../reader-tool.js'
import { readWhole } from '../source.js'
import { childElements, decodeEntities } from './elements.js'
import { readLiteral, setMember } from './read-literal.js'

export interface TypingOptions {
  /** Arrays and objects may be written as child elements, and the five XML entities are decoded. */
  elements?: boolean
  /** A parameter that occurs several times is an array, where the schema allows one. */
  repeats?: boolean
  /** Strings inside structures are untyped text too. */
  texts?: boolean
  /** How deep in child elements this value lies. */
  depth?: number
}

const elementDepthLimit = 50

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'

/** As in JSON, or without the zero before the point. */
const plainNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Gives a value written without a type the type its schema asks for. What does not fit stays text. */
export function typeArguments(
  values: Iterable<readonly [string, string]>,
  schema: JsonSchema,
  options: TypingOptions = {},
): Record<string, unknown> {
  const typed: Record<string, unknown> = {}
  if (options.repeats) return typeRepeated(values, schema, schema, options)
  for (const [key, text] of values)
    setMember(typed, key, typeValue(text, memberSchema(schema, key, schema), schema, options))
  return typed
}

/** Equal names are put together: an array where the schema allows one, else the last of them. */
function typeRepeated(
  values: Iterable<readonly [string, string]>,
  schema: JsonSchema | undefined,
  root: JsonSchema,
  options: TypingOptions,
): Record<string, unknown> {
  const texts = new Map<string, string[]>()
  for (const [key, text] of values) {
    const same = texts.get(key)
    if (same) same.push(text)
    else texts.set(key, [text])
  }
  const typed: Record<string, unknown> = {}
  for (const [key, same] of texts) {
    const member = memberSchema(schema, key, root)
    const isList = typesOf(member, root).has('array') && (same.length > 1 || !/^\s*(?:[[{]|$|<item>)/.test(same[0]))
    const items = partSchema(member, root, 'items')
    const value = isList ? same.map((text) => typeItem(text, items, root, options)) : undefined
    setMember(typed, key, value ?? typeValue(same[same.length - 1], member, root, options))
  }
  return typed
}

function typeValue(text: string, schema: JsonSchema | undefined, root: JsonSchema, options: TypingOptions): unknown {
  const types = typesOf(schema, root)
  const trimmed = text.trim()
  if (types.has('null') && (trimmed === 'null' || (trimmed === 'None' && !types.has('string')))) return null
  if ((types.has('integer') || types.has('number')) && plainNumber.test(trimmed)) {
    const value = Number(trimmed)
    if (Number.isFinite(value) && (types.has('number') || Number.isInteger(value))) return value
  }
  if (types.has('boolean') && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true'
  if (types.has('array') || types.has('object')) {
    const value = typeStructure(trimmed, types, schema, root, options)
    if (value !== undefined) return value
  }
  return options.elements ? decodeEntities(text) : text
}

function typeStructure(
  text: string,
  types: Set<TypeName>,
  schema: JsonSchema | undefined,
  root: JsonSchema,
  options: TypingOptions,
): unknown {
  const written = parseStructure(text)
  if (fits(written, types)) {
    if (options.texts) return typeDeep(written, schema, root)
    return options.elements ? decodeDeep(written) : written
  }
  if (!options.elements) return undefined
  const decoded = text.includes('&') ? parseStructure(decodeEntities(text)) : undefined
  if (fits(decoded, types)) return decoded
  const children = childElements(text)
  if (children === undefined) return undefined
  if (types.has('array') && children.every(([name]) => name === 'item')) {
    const items = partSchema(schema, root, 'items')
    return children.map(([, item]) => typeItem(item, items, root, options))
  }
  if (!types.has('object')) return undefined
  if (options.repeats) return typeRepeated(children, schema, root, options)
  const object: Record<string, unknown> = {}
  for (const [name, child] of children) {
    setMember(object, name, typeItem(child, memberSchema(schema, name, root), root, options))
  }
  return object
}

/** Nested elements without a schema are objects too. */
function typeItem(text: string, schema: JsonSchema | undefined, root: JsonSchema, options: TypingOptions): unknown {
  const depth = (options.depth ?? 0) + 1
  if (depth > elementDepthLimit) return text
  const isOpen = typesOf(schema, root).size === 0
  if (!isOpen || childElements(text) === undefined) return typeValue(text, schema, root, { ...options, depth })
  return typeStructure(text, new Set(['object', 'array']), undefined, root, { ...options, depth })
}

/** JSON or Python, when it is one array or object and nothing else. */
export function parseStructure(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined
  for (const syntax of ['json', 'python'] as const) {
    const value = readWhole(text, function* (source) {
      const literal = yield* readLiteral(source, { syntax, limit: text.length })
      return literal.ok && (yield* source.skipSpace()) === -1 ? literal.value : undefined
    })
    if (value !== undefined) return value
  }
  return undefined
}

/** A value that says it is JSON; what is none stays text for the validator. */
export function parseJson(text: string): unknown {
  const trimmed = text.trim()
  const structure = parseStructure(trimmed)
  if (structure !== undefined) return structure
  const value = readWhole(`${trimmed} `, function* (source) {
    const literal = yield* readLiteral(source, { syntax: 'json', limit: trimmed.length })
    return literal.ok && (yield* source.skipSpace()) === -1 ? { value: literal.value } : undefined
  })
  return value === undefined ? text : value.value
}

const fits = (value: unknown, types: Set<TypeName>): boolean =>
  Array.isArray(value) ? types.has('array') : typeof value === 'object' && value !== null && types.has('object')

function decodeDeep(value: unknown): unknown {
  if (typeof value === 'string') return decodeEntities(value)
  if (Array.isArray(value)) return value.map(decodeDeep)
  if (typeof value !== 'object' || value === null) return value
  const decoded: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) setMember(decoded, key, decodeDeep(member))
  return decoded
}

/** Types every text inside a structure by its own part of the schema. */
function typeDeep(value: unknown, schema: JsonSchema | undefined, root: JsonSchema): unknown {
  if (typeof value === 'string') return typeValue(value, schema, root, {})
  if (Array.isArray(value)) return value.map((item) => typeDeep(item, partSchema(schema, root, 'items'), root))
  if (typeof value !== 'object' || value === null) return value
  const typed: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    setMember(typed, key, typeDeep(member, memberSchema(schema, key, root), root))
  }
  return typed
}

/** Looks through type lists, unions and references into the schema itself. */
export function typesOf(schema: JsonSchema | undefined, root: JsonSchema, seen = new Set<unknown>()): Set<TypeName> {
  const types = new Set<TypeName>()
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return types
  seen.add(schema)
  const given = schema.type
  for (const type of Array.isArray(given) ? given : given === undefined ? [] : [given]) types.add(type as TypeName)
  for (const part of partsOf(schema, root)) for (const type of typesOf(part, root, seen)) types.add(type)
  if (types.size > 0) return types
  if (schema.properties !== undefined) types.add('object')
  if (schema.items !== undefined) types.add('array')
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : []
  for (const value of values)
    types.add(value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as TypeName))
  return types
}

function partsOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
    Array.isArray(schema[key]) ? (schema[key] as JsonSchema[]) : [],
  )
  const target = typeof schema.$ref === 'string' ? referenced(schema.$ref, root) : undefined
  return target === undefined ? parts : [...parts, target]
}

function referenced(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (!reference.startsWith('#/')) return undefined
  let target: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return undefined
    target = (target as Record<string, unknown>)[key]
  }
  return typeof target === 'object' && target !== null ? (target as JsonSchema) : undefined
}

export function memberSchema(schema: JsonSchema | undefined, key: string, root: JsonSchema): JsonSchema | undefined {
  const properties = partSchema(schema, root, 'properties', key)
  if (properties && Object.hasOwn(properties, key)) return properties[key] as JsonSchema
  return partSchema(schema, root, 'additionalProperties')
}

/** A part of the schema, of one of its alternatives, or of what it refers to; the first that has it. */
function partSchema(
  schema: JsonSchema | undefined,
  root: JsonSchema,
  key: 'items' | 'properties' | 'additionalProperties',
  member?: string,
  seen = new Set<unknown>(),
): JsonSchema | undefined {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return undefined
  seen.add(schema)
  const own = schema[key]
  if (typeof own === 'object' && own !== null && (member === undefined || Object.hasOwn(own, member)))
    return own as JsonSchema
  for (const part of partsOf(schema, root)) {
    const found = partSchema(part, root, key, member, seen)
    if (found) return found
  }
  return undefined
}
