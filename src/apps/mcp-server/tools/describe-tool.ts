import type { Tool as McpTool } from '@modelcontextprotocol/server'
import { inputSchema, outputSchema, type Tool } from '../../../core/tools/index.js'

/** A tool as MCP sees it. With several vaults each takes one more argument that says which. */
export function describeTool(tool: Tool, vaults: readonly string[] = []): McpTool {
  const output = outputSchema(tool)
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: withVault(inputSchema(tool), vaults) as McpTool['inputSchema'],
    ...(output && { outputSchema: portable(output) as McpTool['outputSchema'] }),
    annotations: annotationsOf(tool),
  }
}

/**
 * Older clients hold results against draft 7 of JSON Schema, which knows pairs by another name and would let none pass.
 * A list of so many members of one kind means the same to all. That there is nothing else in a result is left unsaid: it
 * helps nobody, and every client is sent all of this.
 */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable)
  if (typeof schema !== 'object' || schema === null) return schema
  const { prefixItems, additionalProperties, ...own } = schema as Record<string, unknown>
  const rest =
    additionalProperties === false
      ? own
      : { ...own, ...(additionalProperties !== undefined && { additionalProperties }) }
  const same = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, portable(inner)]))
  if (!Array.isArray(prefixItems)) return same
  return { ...same, items: portable(prefixItems[0]), minItems: prefixItems.length, maxItems: prefixItems.length }
}

function annotationsOf({ effects }: Tool): McpTool['annotations'] {
  const isReadOnly = effects.every((effect) => effect === 'reads')
  return {
    readOnlyHint: isReadOnly,
    ...(!isReadOnly && { destructiveHint: effects.includes('destroys') }),
    openWorldHint: effects.includes('reaches-network'),
  }
}

function withVault(schema: Record<string, unknown>, vaults: readonly string[]): Record<string, unknown> {
  if (vaults.length < 2) return schema
  const vault = { type: 'string', enum: [...vaults], description: `Which vault; ${vaults[0]} unless told` }
  return { ...schema, properties: { ...(schema.properties as object), vault } }
}
