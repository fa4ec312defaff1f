import { hashBytes } from '../vault/index.js'

/** A tool of an MCP server, in the server's own words. */
export interface ForeignTool {
  server: string
  tool: string
}

/** Names that every provider takes: models are offered tools by them. */
export const isOfferable = (name: string): boolean => /^[A-Za-z][\w-]{0,63}$/.test(name)

/**
 * The name a server's tool is offered by: `server__tool`, or its words with a hash where that is no name, is taken, or
 * could be another server's. The same server and tool have the same name, whoever else is there.
 */
export function offeredName({ server, tool }: ForeignTool, isTaken: (name: string) => boolean = () => false): string {
  const plain = `${server}__${tool}`
  // The first `__` of a plain name ends the server's part, and a name with a hash has none: no two can be the same.
  const isPlain = isOfferable(plain) && !server.includes('__') && !server.endsWith('_')
  return isPlain && !isTaken(plain) ? plain : hashedName(server, tool)
}

/** Whether a tool of this server could be offered by this name. */
export function mayBeOffered(name: string, server: string): boolean {
  return name.startsWith(`${server}__`) || (name.startsWith(`${words(server)}_`) && /_[0-9a-f]{12}$/.test(name))
}

function hashedName(server: string, tool: string): string {
  const hash = hashBytes(new TextEncoder().encode(JSON.stringify([server, tool]))).slice(0, 12)
  const readable = words(`${server}_${tool}`).slice(0, 51).replace(/_$/, '')
  return `${readable}_${hash}`
}

function words(text: string): string {
  const readable = text.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_|_$/g, '')
  return /^[A-Za-z]/.test(readable) ? readable : `mcp_${readable}`
}
