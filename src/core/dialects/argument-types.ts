// Arguments and schemas: gives untyped text the type its schema asks for, and checks that arguments fit.

import type { ArgumentSchema } from './dialect.js'
import type { JsonObject } from './events.js'
import { readLiteral, setMember } from './literals.js'
import { parseWhole } from './source.js'

export interface TypingOptions {
  /** Arrays and objects may be written as child elements, and the five XML entities are decoded. */
  elements?: boolean
  /** A repeated parameter becomes an array, if the schema allows one. */
  repeats?: boolean
  /** Strings inside structures are also untyped text. */
  texts?: boolean
  /** Depth of this value in nested child elements. */
  depth?: number
}

const elementDepthLimit = 50

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'

/** A JSON number; the zero before the point may be missing. */
const plainNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Converts values written without a type to the types in the schema. A value that does not fit stays text. */
export function typeArguments(
  values: Iterable<readonly [string, string]>,
  schema: ArgumentSchema,
  options: TypingOptions = {},
): Record<string, unknown> {
  const typed: Record<string, unknown> = {}
  if (options.repeats) return typeRepeated(values, schema, schema, options)
  for (const [key, text] of values)
    setMember(typed, key, typeValue(text, memberSchema(schema, key, schema), schema, options))
  return typed
}

/** Groups equal names: an array if the schema allows one, else the last value. */
function typeRepeated(
  values: Iterable<readonly [string, string]>,
  schema: ArgumentSchema | undefined,
  root: ArgumentSchema,
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
    const isList =
      typesOf(member, root).has('array') && (same.length > 1 || !/^\s*(?:[[{]|$|<item>)/.test(same[0] ?? ''))
    const items = partSchema(member, root, 'items')
    const value = isList ? same.map((text) => typeItem(text, items, root, options)) : undefined
    setMember(typed, key, value ?? typeValue(same.at(-1) ?? '', member, root, options))
  }
  return typed
}

function typeValue(
  text: string,
  schema: ArgumentSchema | undefined,
  root: ArgumentSchema,
  options: TypingOptions,
): unknown {
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
  schema: ArgumentSchema | undefined,
  root: ArgumentSchema,
  options: TypingOptions,
): unknown {
  const written = parseStructure(text)
  if (isStructureOf(written, types)) {
    if (options.texts) return typeDeep(written, schema, root)
    return options.elements ? decodeDeep(written) : written
  }
  if (!options.elements) return undefined
  const decoded = text.includes('&') ? parseStructure(decodeEntities(text)) : undefined
  if (isStructureOf(decoded, types)) return decoded
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
function typeItem(
  text: string,
  schema: ArgumentSchema | undefined,
  root: ArgumentSchema,
  options: TypingOptions,
): unknown {
  const depth = (options.depth ?? 0) + 1
  if (depth > elementDepthLimit) return text
  const isOpen = typesOf(schema, root).size === 0
  if (!isOpen || childElements(text) === undefined) return typeValue(text, schema, root, { ...options, depth })
  return typeStructure(text, new Set(['object', 'array']), undefined, root, { ...options, depth })
}

/** Parses JSON or Python; undefined unless the text is exactly one array or object. */
export function parseStructure(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined
  for (const syntax of ['json', 'python'] as const) {
    const value = parseWhole(text, function* (source) {
      const literal = yield* readLiteral(source, { syntax, limit: text.length })
      return literal.ok && (yield* source.skipSpace()) === -1 ? literal.value : undefined
    })
    if (value !== undefined) return value
  }
  return undefined
}

/** Parses a value declared as JSON. Invalid JSON stays text for the validator. */
export function parseJsonArgument(text: string): unknown {
  const trimmed = text.trim()
  const structure = parseStructure(trimmed)
  if (structure !== undefined) return structure
  const value = parseWhole(`${trimmed} `, function* (source) {
    const literal = yield* readLiteral(source, { syntax: 'json', limit: trimmed.length })
    return literal.ok && (yield* source.skipSpace()) === -1 ? { value: literal.value } : undefined
  })
  return value === undefined ? text : value.value
}

const isStructureOf = (value: unknown, types: Set<TypeName>): boolean =>
  Array.isArray(value) ? types.has('array') : typeof value === 'object' && value !== null && types.has('object')

function decodeDeep(value: unknown): unknown {
  if (typeof value === 'string') return decodeEntities(value)
  if (Array.isArray(value)) return value.map(decodeDeep)
  if (typeof value !== 'object' || value === null) return value
  const decoded: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) setMember(decoded, key, decodeDeep(member))
  return decoded
}

/** Converts every string inside a structure by its own part of the schema. */
function typeDeep(value: unknown, schema: ArgumentSchema | undefined, root: ArgumentSchema): unknown {
  if (typeof value === 'string') return typeValue(value, schema, root, {})
  if (Array.isArray(value)) return value.map((item) => typeDeep(item, partSchema(schema, root, 'items'), root))
  if (typeof value !== 'object' || value === null) return value
  const typed: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    setMember(typed, key, typeDeep(member, memberSchema(schema, key, root), root))
  }
  return typed
}

/** The types a schema allows, including those in type lists, unions and references. */
function typesOf(schema: ArgumentSchema | undefined, root: ArgumentSchema, seen = new Set<unknown>()): Set<TypeName> {
  const types = new Set<TypeName>()
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return types
  seen.add(schema)
  const given = schema.type
  for (const type of Array.isArray(given) ? given : given === undefined ? [] : [given]) types.add(type as TypeName)
  for (const part of alternativesOf(schema, root)) for (const type of typesOf(part, root, seen)) types.add(type)
  if (types.size > 0) return types
  if (schema.properties !== undefined) types.add('object')
  if (schema.items !== undefined) types.add('array')
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : []
  for (const value of values)
    types.add(value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as TypeName))
  return types
}

function alternativesOf(schema: ArgumentSchema, root: ArgumentSchema): ArgumentSchema[] {
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
    Array.isArray(schema[key]) ? (schema[key] as ArgumentSchema[]) : [],
  )
  const target = typeof schema.$ref === 'string' ? resolveReference(schema.$ref, root) : undefined
  return target === undefined ? parts : [...parts, target]
}

function resolveReference(reference: string, root: ArgumentSchema): ArgumentSchema | undefined {
  if (!reference.startsWith('#/')) return undefined
  let target: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return undefined
    target = (target as Record<string, unknown>)[key]
  }
  return typeof target === 'object' && target !== null ? (target as ArgumentSchema) : undefined
}

function memberSchema(
  schema: ArgumentSchema | undefined,
  key: string,
  root: ArgumentSchema,
): ArgumentSchema | undefined {
  const properties = partSchema(schema, root, 'properties', key)
  if (properties && Object.hasOwn(properties, key)) return properties[key] as ArgumentSchema
  return partSchema(schema, root, 'additionalProperties')
}

/** The first such part found in the schema, its alternatives, or its reference. */
function partSchema(
  schema: ArgumentSchema | undefined,
  root: ArgumentSchema,
  key: 'items' | 'properties' | 'additionalProperties',
  member?: string,
  seen = new Set<unknown>(),
): ArgumentSchema | undefined {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return undefined
  seen.add(schema)
  const own = schema[key]
  if (typeof own === 'object' && own !== null && (member === undefined || Object.hasOwn(own, member)))
    return own as ArgumentSchema
  for (const part of alternativesOf(schema, root)) {
    const found = partSchema(part, root, key, member, seen)
    if (found) return found
  }
  return undefined
}

/**
 * Explains to the model why arguments do not fit a tool's schema; undefined if they fit. Only the outermost level is
 * checked.
 */
export function schemaMismatch(args: JsonObject, schema: ArgumentSchema): string | undefined {
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const missing = required.filter((key) => !Object.hasOwn(args, key))
  if (missing.length > 0) return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`
  const known = Object.keys(schema.properties ?? {})
  for (const [key, value] of Object.entries(args)) {
    if (schema.additionalProperties === false && !known.includes(key)) {
      return `unknown argument ${key}${known.length > 0 ? `; available: ${known.join(', ')}` : ''}`
    }
    const types = [...typesOf(memberSchema(schema, key, schema), schema)]
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) return `${key} must be ${types.join(' or ')}`
  }
  return undefined
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

const tagName = /<([A-Za-z_][\w.-]{0,100})>/y

/** The child elements, if the text consists of elements only. Elements of the same name nest. */
function childElements(text: string): [name: string, content: string][] | undefined {
  const elements: [string, string][] = []
  let at = spaceEnd(text, 0)
  while (at < text.length) {
    tagName.lastIndex = at
    const [tag, name] = tagName.exec(text) ?? []
    if (tag === undefined || name === undefined) return undefined
    const start = at + tag.length
    const end = closingTag(text, name, start)
    if (end === -1) return undefined
    elements.push([name, text.slice(start, end)])
    at = spaceEnd(text, end + name.length + 3)
  }
  return elements.length === 0 ? undefined : elements
}

function spaceEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at))) at++
  return at
}

function closingTag(text: string, name: string, from: number): number {
  const tags = new RegExp(`<(/?)${name.replaceAll('.', '\\.')}>`, 'g')
  tags.lastIndex = from
  let depth = 1
  for (let found = tags.exec(text); found; found = tags.exec(text)) {
    depth += found[1] === '' ? 1 : -1
    if (depth === 0) return found.index
  }
  return -1
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** Decodes the five XML entities, once. */
function decodeEntities(text: string): string {
  return text.includes('&')
    ? text.replace(/&(lt|gt|quot|apos|amp);/g, (entity, name: string) => entities[name] ?? entity)
    : text
}
