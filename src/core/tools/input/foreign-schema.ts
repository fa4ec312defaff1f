import { type SchemaDraft, Validator } from '@cfworker/json-schema'
import type { ForeignSchema } from '../tool.js'
import type { JsonSchema } from './input-schema.js'

const validators = new WeakMap<JsonSchema, Validator>()

/** What a foreign schema has against a value, as `field: reason`; nothing when it fits. */
export function foreignReasons({ jsonSchema }: ForeignSchema, value: unknown): string[] {
  let validator = validators.get(jsonSchema)
  if (validator === undefined) {
    validator = new Validator(withoutCostlyPatterns(jsonSchema) as JsonSchema, draftOf(jsonSchema), false)
    validators.set(jsonSchema, validator)
  }
  const { valid, errors } = validator.validate(value)
  if (valid) return []
  // Containers repeat what their members say: keep the innermost.
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
