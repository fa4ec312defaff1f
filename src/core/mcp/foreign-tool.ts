import type { Effect, Tool, ToolContext } from '../tools/index.js'
import type { ServerAnswer } from './server-answer.js'
import { type ServerTool, type ToolHints, titleOf } from './server-tool.js'

const mostDescription = 4000

export interface ForeignToolSetup {
  server: string
  /** Where it is, when it is not a program of this machine. */
  address?: string
  call: (tool: string, input: Record<string, unknown>, context: ToolContext) => Promise<ServerAnswer>
  timeoutMs?: number
  /** Why it cannot be used yet. */
  withheld?: string
}

/** A server's tool as one of ours: its schema unchanged, and nothing believed that would let it do more. */
export function foreignTool(tool: ServerTool, { server, address, call, timeoutMs, withheld }: ForeignToolSetup): Tool {
  const { name, description, inputSchema, annotations } = tool
  return {
    name,
    title: titleOf(tool),
    description: shortened(description) || `MCP tool from ${server}`,
    activity: `Asking ${server}`,
    category: 'mcp',
    effects: effectsOf(annotations),
    input: { jsonSchema: inputSchema },
    // It is someone else's clock: asked again it may say something else.
    varies: true,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(withheld !== undefined && { withheld }),
    reaches: async (input: unknown) => ({
      sends: [{ url: destination(server, name, address), payload: JSON.stringify(input) }],
    }),
    run: (input: Record<string, unknown>, context) => call(name, input, context),
    render: ({ text }: ServerAnswer) => text,
    summary: ({ text }: ServerAnswer) => `${text.length} characters from ${server}`,
  }
}

/** A person has seen all of it. A model is told no more than a description needs. */
function shortened(description = ''): string {
  return description.length <= mostDescription ? description : `${description.slice(0, mostDescription)}…`
}

/** Without hints a tool may destroy and send. A hint can add to that; that it does less is only what it says. */
function effectsOf(hints: ToolHints = {}): Effect[] {
  const most: Effect[] = ['destroys', 'reaches-network']
  return hints.readOnlyHint === false ? ['writes', ...most] : most
}

/**
 * Where its arguments go, for the person and the log. Not an address with a host: the server may send them on to any other,
 * so that a rule against one host is a rule against it.
 */
function destination(server: string, tool: string, address: string | undefined): string {
  return `mcp:${encodeURIComponent(server)}/${encodeURIComponent(tool)}${address ? ` (${address})` : ''}`
}
