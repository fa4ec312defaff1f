import {
  httpTransport,
  type ListedServer,
  type ServerTransport,
  serverLaunch,
  stdioTransport,
} from '../../../core/mcp/index.js'
import { type HeaderSources, httpAddress } from './http-address.js'
import { nodePrograms } from './node-programs.js'

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
  const launch = serverLaunch(name, setting, { environment, platform: process.platform })
  return stdioTransport({ ...launch, ...(onLine && { onLine: (line: string) => onLine(name, line) }) }, nodePrograms)
}
