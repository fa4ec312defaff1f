import * as z from 'zod'
import type { Tool, ZodSchema } from '../tool.js'

export type JsonSchema = Record<string, unknown>

const known = new WeakMap<Tool, JsonSchema>()

/** The JSON Schema of a tool's input, as models and clients get it. A foreign one is passed on unchanged. */
export function inputSchema(tool: Tool): JsonSchema {
  if ('jsonSchema' in tool.input) return tool.input.jsonSchema
  let schema = known.get(tool)
  if (schema === undefined) {
    // Every provider wants an object at the top, also for no parameters at all and for a choice between objects.
    const { type: _type, ...rest } = jsonSchemaOf(tool.input, 'input')
    schema = {
      type: 'object',
      ...(rest.oneOf === undefined && rest.anyOf === undefined && { properties: {} }),
      ...rest,
    }
    known.set(tool, schema)
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

/** Every model pays for each byte of a schema, so what says nothing goes. */
function dropNoise(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames
  if (JSON.stringify(schema.additionalProperties) === '{}') delete schema.additionalProperties
}
