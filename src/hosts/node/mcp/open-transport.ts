import { Failure } from '../../../core/errors.js'
import type { ServerTransport } from '../../../core/mcp/index.js'
import { childEnvironment } from './child-environment.js'
import { expandVariables } from './expand-variables.js'
import type { ListedServer } from './list-servers.js'
import { stdioTransport } from './stdio-transport.js'

export interface TransportSurroundings {
  environment: Record<string, string | undefined>
  /** Lines of a server's standard error. */
  onLine?(server: string, line: string): void
}

/** A new way to a server. Nothing is started yet. */
export function openTransport(
  { name, setting }: Pick<ListedServer, 'name' | 'setting'>,
  { environment, onLine }: TransportSurroundings,
): ServerTransport {
  const expand = (text: string) => expandVariables(text, environment, `The MCP server ${name}`)
  if (!('command' in setting)) {
    throw new Failure('invalid-input', `The MCP server ${name} is at a web address, and those cannot be used yet.`)
  }
  const configured = Object.entries(setting.env ?? {}).map(([key, value]) => [key, expand(value)])
  return stdioTransport({
    server: name,
    command: expand(setting.command),
    args: (setting.args ?? []).map(expand),
    environment: childEnvironment(environment, Object.fromEntries(configured)),
    ...(onLine && { onLine: (line: string) => onLine(name, line) }),
  })
}
