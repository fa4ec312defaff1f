import type { JsonObject } from '../reader-event.js'
import type { JsonSchema } from '../reader-tool.js'
import { memberSchema, typesOf } from './type-value.js'

/** What keeps arguments from fitting a tool's schema, in words for a model; undefined when they fit. The outermost level decides. */
export function misfit(args: JsonObject, schema: JsonSchema): string | undefined {
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const missing = required.filter((key) => !Object.hasOwn(args, key))
  if (missing.length > 0) return `it lacks ${missing.join(', ')}`
  const known = Object.keys(schema.properties ?? {})
  for (const [key, value] of Object.entries(args)) {
    if (schema.additionalProperties === false && !known.includes(key)) {
      return `it takes no ${key}${known.length > 0 ? `, only ${known.join(', ')}` : ''}`
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
