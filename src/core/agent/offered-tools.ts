import { isRecord } from '../is-record.js'
import { inputSchema, type JsonSchema, type Tool } from '../tools/index.js'

/**
 * How much a model is told about a tool. `short`: its purpose and all arguments. `least`: its purpose and the main
 * arguments; it may still give the others.
 */
export type ToolDetail = 'full' | 'short' | 'least'

/** A tool as it is described to a model. */
export function offeredTool(tool: Tool, detail: ToolDetail) {
  const { name, description } = tool
  const schema = 'jsonSchema' in tool.input ? inputSchema(tool) : withoutLimits(inputSchema(tool))
  if (detail === 'full') return { name, description, inputSchema: schema }
  const brief = firstSentence(description)
  return { name, description: brief, inputSchema: detail === 'short' ? schema : mainArguments(tool, schema) }
}

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text

function mainArguments({ inBrief }: Tool, schema: JsonSchema): JsonSchema {
  const { properties } = schema
  if (inBrief === undefined || !isRecord(properties)) return schema
  const kept = Object.entries(properties).filter(([name]) => inBrief.includes(name))
  return { ...schema, properties: Object.fromEntries(kept) }
}

const limits = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'])

/** Limits are checked when a tool is called; models rarely reach them. */
function withoutLimits(schema: JsonSchema): JsonSchema {
  const kept: JsonSchema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (limits.has(key)) continue
    // Below `properties` the keys are names of arguments.
    kept[key] =
      key === 'properties' && isRecord(value)
        ? ofEach(value)
        : key === 'items' && isRecord(value)
          ? withoutLimits(value)
          : value
  }
  return kept
}

const ofEach = (properties: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, isRecord(value) ? withoutLimits(value) : value]),
  )
