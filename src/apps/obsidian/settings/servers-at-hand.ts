import type { ServerTool } from '../../../core/mcp/index.js'

/** What the person has typed and looked at since the settings were opened. */
export interface ServersAtHand {
  typed: NewServer
  /** By server: what it said of its tools, and those of them that were looked at before. */
  looked: Map<string, { tools: readonly ServerTool[]; seen: ReadonlyMap<string, ServerTool> }>
}

/** A server that is to be added: an address, or a program with its arguments and variables, one in a line. */
export interface NewServer {
  name: string
  url: string
  command: string
  args: string
  env: string
}

export const nothingTyped: NewServer = { name: '', url: '', command: '', args: '', env: '' }
