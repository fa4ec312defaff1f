import type { ElicitRequestFormParams } from '@modelcontextprotocol/client'
import type { Form, FormField } from '../approval/index.js'

/** A server's question as a form of ours; undefined when it asks for something a form of ours cannot hold. */
export function serverForm({ requestedSchema }: ElicitRequestFormParams): Form | undefined {
  const properties: Record<string, FormField> = {}
  for (const [name, schema] of Object.entries(requestedSchema.properties)) {
    const field = fieldOf(schema)
    if (field === undefined) return undefined
    properties[name] = field
  }
  return { type: 'object', properties, ...(requestedSchema.required && { required: requestedSchema.required }) }
}

function fieldOf(schema: Record<string, unknown>): FormField | undefined {
  const { title, description } = schema as { title?: string; description?: string }
  const words = { ...(title && { title }), ...(description && { description }) }
  switch (schema.type) {
    case 'boolean':
    case 'number':
    case 'integer':
      return { ...words, ...only(schema, ['type', 'minimum', 'maximum', 'default']) } as FormField
    case 'string': {
      const titled = Array.isArray(schema.oneOf) ? constants(schema.oneOf) : undefined
      const field = only(schema, ['type', 'minLength', 'maxLength', 'format', 'default', 'enum'])
      return { ...words, ...field, ...(titled && { enum: titled }) } as FormField
    }
    case 'array': {
      const choices = choicesOf(schema.items)
      const field = only(schema, ['type', 'minItems', 'maxItems', 'default'])
      return choices && ({ ...words, ...field, items: { enum: choices } } as FormField)
    }
    default:
      return undefined
  }
}

/** Of a list that several can be chosen from. */
function choicesOf(items: unknown): string[] | undefined {
  const { enum: plain, anyOf, oneOf } = (items ?? {}) as { enum?: string[]; anyOf?: unknown[]; oneOf?: unknown[] }
  const titled = anyOf ?? oneOf
  return plain ?? (titled && constants(titled))
}

const constants = (choices: unknown[]): string[] => (choices as { const: string }[]).map((each) => each.const)

function only(schema: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])))
}
