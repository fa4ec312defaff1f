import type { Tool as McpTool } from '@modelcontextprotocol/server'
import { Failure } from '../../core/errors.js'
import type { OpenedVault } from '../../core/session/index.js'
import { categories, findToolById, inputSchema, outputSchema, type Tool, toolset } from '../../core/tools/index.js'
import type { McpSetup } from './setup.js'

/** Always offered: a client can list and undo its own changes. */
const alwaysOffered = ['undo_changes']

/**
 * The tools offered to a client, in the order of the registry. Writing tools only if the level allows writing, and none
 * that shows files: those need a conversation of our own.
 */
export function offeredTools(
  { registry, settings }: Pick<OpenedVault, 'registry' | 'settings'>,
  { tools: chosen, session = {} }: Pick<McpSetup, 'tools' | 'session'>,
): Tool[] {
  const isReadOnly = (session.consent ?? settings.consent) === 'read-only'
  const names = chosen === undefined ? defaultNames({ registry, settings }) : chosenNames(chosen, registry)
  return registry
    .all()
    .map(({ tool }) => tool)
    .filter(({ name }) => names.has(name) || alwaysOffered.includes(name))
    .filter(({ filesIn }) => filesIn === undefined)
    .filter(({ effects }) => !isReadOnly || effects.every((effect) => effect === 'reads'))
}

/** Programs do not read notes at random. */
const leftOut = ['get_random_note']

function defaultNames({ registry, settings }: Pick<OpenedVault, 'registry' | 'settings'>): Set<string> {
  const { tools } = toolset(settings.tools, registry)
  return new Set(
    tools.flatMap(({ name, category }) =>
      (category === 'search' || category === 'file') && !leftOut.includes(name) ? [name] : [],
    ),
  )
}

/** Names of tools, with categories replaced by their tools. */
function chosenNames(chosen: readonly string[], registry: OpenedVault['registry']): Set<string> {
  const byCategory = registry.byCategory()
  return new Set(
    chosen.flatMap((word) => {
      const category = categories.find((known) => known === word)
      if (category !== undefined) return (byCategory.get(category) ?? []).map(({ name }) => name)
      const found = findToolById(word, registry)
      if (found !== undefined) return [found.tool.name]
      throw new Failure('invalid-input', `Unknown tool or category: ${JSON.stringify(word)}`, {
        hint: `Categories are ${categories.join(', ')}; "notewright tool list" lists the tools.`,
      })
    }),
  )
}

/** A tool in the format of MCP. With several vaults each tool takes the argument `vault`. */
export function describeTool(tool: Tool, vaults: readonly string[] = []): McpTool {
  const output = outputSchema(tool)
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: withVault(inputSchema(tool), vaults) as McpTool['inputSchema'],
    ...(output && { outputSchema: portableSchema(output) as McpTool['outputSchema'] }),
    annotations: annotationsOf(tool),
  }
}

/**
 * Older clients validate results with draft 7 of JSON Schema, where `prefixItems` is unknown and no pair would pass: a
 * list of fixed length works in all versions. Models read the whole list of tools, so everything else that says no more
 * than the result itself is dropped: which fields are required, that there are no others, and descriptions.
 */
function portableSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portableSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const own = Object.entries(schema).filter(([name, value]) => !isSurplus(name, value) && name !== 'prefixItems')
  const same = Object.fromEntries(own.map(([name, inner]) => [name, portableSchema(inner)]))
  const { prefixItems } = schema as { prefixItems?: unknown }
  if (!Array.isArray(prefixItems)) return same
  return { ...same, items: portableSchema(prefixItems[0]), minItems: prefixItems.length, maxItems: prefixItems.length }
}

/** A property of a result can have the name of a keyword: then its value is a schema, an object. */
function isSurplus(name: string, value: unknown): boolean {
  if (name === 'required') return Array.isArray(value)
  return (name === 'additionalProperties' && value === false) || (name === 'description' && typeof value === 'string')
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
  const vault = { type: 'string', enum: [...vaults], description: `Vault to use. Default: ${vaults[0]}` }
  return { ...schema, properties: { ...(schema.properties as object), vault } }
}

/** The id of a new session of a client. It ends with eight hex digits, so that `clientOf` finds the client exactly. */
export const sessionName = (client: string): string => `mcp-${client}-${crypto.randomUUID().slice(0, 8)}`
