import { configSchema } from '../../core/config/index.js'
import { builtInTools, type JsonSchema, registry } from '../../core/tools/index.js'
import { describeTool, offeredTools } from './tools.js'

/** The page `docs/reference/mcp.md`: the tools as a client gets them with default settings. */
export function mcpReference(): string {
  const tools = registry(builtInTools)
  const offered = offeredTools({ registry: tools, settings: configSchema.parse({}) }, {})
  return `${['# Tools as MCP sees them', intro, ...offered.map((tool) => section(describeTool(tool)))].join('\n\n')}\n`
}

const intro = `Written by \`npm run docs\` from the tools themselves. These are offered unless you choose others with \`--tools\`; in read-only mode, those that only read. With several vaults each also takes \`vault\`. A failure is a result with \`isError\` and the text \`{"code", "text", "hint"?}\`.`

function section({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: ReturnType<typeof describeTool>) {
  const hints = annotations?.readOnlyHint
    ? 'reads'
    : annotations?.destructiveHint
      ? 'writes, may overwrite or delete'
      : 'writes'
  const fields = Object.keys((outputSchema?.properties ?? {}) as object).map((field) => `\`${field}\``)
  return [
    `## ${name}`,
    `${title} (${hints}). ${description}`,
    rows(inputSchema as JsonSchema),
    `Result: ${fields.join(', ')}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function rows({ properties = {}, required = [] }: JsonSchema): string {
  const entries = Object.entries(properties as Record<string, JsonSchema>)
  if (entries.length === 0) return ''
  const isRequired = (name: string) => (required as string[]).includes(name)
  const lines = entries.map(([name, { type, description = '' }]) => {
    return `| \`${name}\` | ${type ?? 'any'}${isRequired(name) ? ', required' : ''} | ${String(description).replaceAll('|', '\\|')} |`
  })
  return ['| argument | type | |', '| --- | --- | --- |', ...lines].join('\n')
}
