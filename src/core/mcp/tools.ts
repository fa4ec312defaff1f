import type { ContentBlock } from '@modelcontextprotocol/client'
import { canonicalJson } from '../approval/index.js'
import type { Effect, Tool, ToolContext } from '../tools/index.js'
import { hashBytes } from '../vault/index.js'

const maxDescriptionLength = 4000

interface ForeignToolOptions {
  server: string
  /** The server's web address; undefined for a program on this machine. */
  address?: string | undefined
  call: (tool: string, input: Record<string, unknown>, context: ToolContext) => Promise<ServerAnswer>
  timeoutMs?: number | undefined
  /** The reason why the tool cannot be used yet. */
  withheld?: string | undefined
}

/** Wraps a server's tool as a tool of ours, with its schema unchanged. Its hints never grant anything. */
export function wrapServerTool(
  tool: ServerTool,
  { server, address, call, timeoutMs, withheld }: ForeignToolOptions,
): Tool {
  const { name, description, inputSchema, annotations } = tool
  return {
    name,
    title: serverToolTitle(tool),
    description: shortened(description) || `MCP tool from ${server}`,
    activity: `Calling ${server}`,
    category: 'mcp',
    effects: effectsOf(annotations),
    input: { jsonSchema: inputSchema },
    // The same call may give another result later.
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

/** The user has seen the whole description; the model gets a limited part. */
function shortened(description = ''): string {
  return description.length <= maxDescriptionLength ? description : `${description.slice(0, maxDescriptionLength)}…`
}

/** Without hints a tool may destroy and send. A hint can add effects, never remove them. */
function effectsOf(hints: ToolHints = {}): Effect[] {
  const most: Effect[] = ['destroys', 'reaches-network']
  return hints.readOnlyHint === false ? ['writes', ...most] : most
}

/**
 * The destination of the arguments, for the user and the log. It has no host: the server may forward them anywhere, so a
 * rule against any host also applies to the server.
 */
function destination(server: string, tool: string, address: string | undefined): string {
  return `mcp:${encodeURIComponent(server)}/${encodeURIComponent(tool)}${address ? ` (${address})` : ''}`
}

/** A tool as its server describes it. */
export interface ServerTool {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown> | undefined
  annotations?: ToolHints | undefined
}

/** A server's hints about the effects of a tool. They are not trusted. */
export interface ToolHints {
  title?: string | undefined
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
  idempotentHint?: boolean | undefined
  openWorldHint?: boolean | undefined
}

/** Hash of everything the user or the model sees of a tool. With another hash it counts as another tool. */
export function toolHash({ name, title, description, inputSchema, outputSchema, annotations }: ServerTool): string {
  const visible = { name, title, description, inputSchema, outputSchema, annotations }
  return hashBytes(new TextEncoder().encode(canonicalJson(visible)))
}

export const serverToolTitle = ({ name, title, annotations }: ServerTool): string => title || annotations?.title || name

/** The result of calling a server's tool: text, and data if the server sent some. */
export interface ServerAnswer {
  text: string
  structuredContent?: unknown
}

const maxAnswerLength = 200_000

/** The text of an answer. Other content is only named: nothing is followed, loaded or shown. */
export function answerText(content: readonly ContentBlock[], structured: unknown): string {
  const parts = content.map(blockText).filter((part) => part !== '')
  if (parts.length === 0 && structured !== undefined) parts.push(JSON.stringify(structured))
  const text = parts.join('\n\n')
  if (text.length <= maxAnswerLength) return text === '' ? 'Done. The server returned no text.' : text
  return `${text.slice(0, maxAnswerLength)}\n\n… (shortened from ${text.length.toLocaleString('en')} characters)`
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${byteCount(block.data)} bytes, not shown]`
    case 'resource_link':
      return `[resource, not opened: ${block.uri}]`
    case 'resource':
      return 'text' in block.resource
        ? `[resource ${block.resource.uri}]\n${block.resource.text}`
        : `[resource ${block.resource.uri}, ${byteCount(block.resource.blob)} bytes, not shown]`
    default:
      block satisfies never
      return '[content of an unknown type]'
  }
}

const byteCount = (base64: string): string => Math.floor((base64.length * 3) / 4).toLocaleString('en')
