import { canonicalJson } from '../approval/index.js'
import { hashBytes } from '../vault/index.js'

/** A tool in the words of its server. */
export interface ServerTool {
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  annotations?: ToolHints
}

/** What a server says of its tool's effects. Nobody has to believe it. */
export interface ToolHints {
  title?: string
  readOnlyHint?: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint?: boolean
}

/** Of all that a person or a model is told about a tool: another hash, another tool. */
export function toolHash({ name, title, description, inputSchema, outputSchema, annotations }: ServerTool): string {
  const told = { name, title, description, inputSchema, outputSchema, annotations }
  return hashBytes(new TextEncoder().encode(canonicalJson(told)))
}

export const titleOf = ({ name, title, annotations }: ServerTool): string => title || annotations?.title || name
