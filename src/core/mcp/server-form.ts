import type { ElicitRequestFormParams } from '@modelcontextprotocol/client'
import type { Form, FormField } from '../approval/index.js'

/** A server's question as a form of ours; undefined when it asks for something a form of ours cannot hold. */
export function serverForm({ requestedSchema }: ElicitRequestFormParams): Form | undefined {
  const properties: Record<string, FormField> = {}
  for (const [name, schema] of Object.entries(requestedSchema.properties)) {
    const field = fieldOf(schema as Record<string, unknown>)
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
      const titled = Array.isArray(schema.oneOf) ? schema.oneOf.map((each: { const: string }) => each.const) : undefined
      const field = only(schema, ['type', 'minLength', 'maxLength', 'format', 'default', 'enum'])
      return { ...words, ...field, ...(titled && { enum: titled }) } as FormField
    }
    default:
      return undefined
  }
}

function only(schema: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])))
}
