import { isRecord } from '../../is-record.js'
import type { JsonSchema } from './input-schema.js'

const enough = 20

/** Fields a schema does not know, at any depth: a misspelled filter must not be silently ignored. */
export function unknownFields(schema: JsonSchema, value: unknown, path: string[] = []): string[] {
  if (Array.isArray(value)) {
    const items = asSchema(schema.items)
    return items === undefined ? [] : value.flatMap((item, at) => unknownFields(items, item, [...path, `${at}`]))
  }
  const properties = asSchema(schema.properties)
  if (!isRecord(value) || properties === undefined) return []
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false
  const unknown: string[] = []
  for (const [name, child] of Object.entries(value)) {
    // A few are enough to see what is wrong; there may be millions.
    if (unknown.length > enough) break
    const known = Object.hasOwn(properties, name) ? asSchema(properties[name]) : undefined
    if (known !== undefined) unknown.push(...unknownFields(known, child, [...path, name]))
    else if (!isOpen)
      unknown.push(
        `${[...path, name.slice(0, 100)].join('.')}: unknown field (there is ${Object.keys(properties).join(', ')})`,
      )
  }
  return unknown
}

/** The value without the nulls that stand for an optional field left out. */
export function absentNulls(schema: JsonSchema, value: unknown): unknown {
  const properties = asSchema(schema.properties)
  if (!isRecord(value) || properties === undefined) return value
  const required = Array.isArray(schema.required) ? schema.required : []
  const kept: Record<string, unknown> = {}
  for (const [name, child] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? asSchema(properties[name]) : undefined
    const isLeftOut = child === null && known !== undefined && !required.includes(name) && !acceptsNull(known)
    if (isLeftOut) continue
    Object.defineProperty(kept, name, {
      value: known === undefined ? child : absentNulls(known, child),
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
