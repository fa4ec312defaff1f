import type { Effect, Tool, ToolContext } from '../tools/index.js'
import type { ServerAnswer } from './server-answer.js'
import { type ServerTool, type ToolHints, titleOf } from './server-tool.js'

export interface ForeignToolSetup {
  server: string
  call(tool: string, input: Record<string, unknown>, context: ToolContext): Promise<ServerAnswer>
  timeoutMs?: number
  /** Why it cannot be used yet. */
  withheld?: string
}

/** A server's tool as one of ours: its schema unchanged, and nothing believed that would let it do more. */
export function foreignTool(tool: ServerTool, { server, call, timeoutMs, withheld }: ForeignToolSetup): Tool {
  const { name, description, inputSchema, annotations } = tool
  return {
    name,
    title: titleOf(tool),
    description: description || `MCP tool from ${server}`,
    activity: `Asking ${server}`,
    category: 'mcp',
    effects: effectsOf(annotations),
    input: { jsonSchema: inputSchema },
    // It is someone else's clock: asked again it may say something else.
    varies: true,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(withheld !== undefined && { withheld }),
    reaches: async (input: unknown) => ({ sends: [{ url: addressOf(server, name), payload: JSON.stringify(input) }] }),
    run: (input: Record<string, unknown>, context) => call(name, input, context),
    render: ({ text }: ServerAnswer) => text,
    summary: ({ text }: ServerAnswer) => `${text.length} characters from ${server}`,
  }
}

/** Without hints a tool may destroy and send. A hint can add to that; that it does less is only what it says. */
function effectsOf(hints: ToolHints = {}): Effect[] {
  const most: Effect[] = ['destroys', 'reaches-network']
  return hints.readOnlyHint === false ? ['writes', ...most] : most
}

/** Where its arguments go, for the person and the log. */
const addressOf = (server: string, tool: string): string =>
  `mcp:${encodeURIComponent(server)}/${encodeURIComponent(tool)}`
