import { httpTransport, type ServerTransport } from '../../../core/mcp/index.js'
import { childEnvironment } from './child-environment.js'
import { expandVariables } from './expand-variables.js'
import { type HeaderSources, httpAddress } from './http-address.js'
import type { ListedServer } from './list-servers.js'
import { stdioTransport } from './stdio-transport.js'

export interface TransportSurroundings extends HeaderSources {
  /** Lines of a server's standard error. */
  onLine?(server: string, line: string): void
}

/** A new way to a server. Nothing is started yet. */
export async function openTransport(
  server: Pick<ListedServer, 'name' | 'from' | 'setting'>,
  surroundings: TransportSurroundings,
): Promise<ServerTransport> {
  const { name, setting } = server
  const { environment, onLine } = surroundings
  if ('url' in setting) {
    return httpTransport({ server: name, fetch, ...(await httpAddress(server, setting, surroundings)) })
  }
  const expand = (text: string) => expandVariables(text, environment, `The MCP server ${name}`)
  const configured = Object.entries(setting.env ?? {}).map(([key, value]) => [key, expand(value)])
  return stdioTransport({
    server: name,
    command: expand(setting.command),
    args: (setting.args ?? []).map(expand),
    environment: childEnvironment(environment, Object.fromEntries(configured)),
    ...(onLine && { onLine: (line: string) => onLine(name, line) }),
  })
}
