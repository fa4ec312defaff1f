import type { ApprovalDesk } from '../../../core/approval/index.js'
import { type ToolServers, toolServers } from '../../../core/mcp/index.js'
import { mayBeOffered, type Registry } from '../../../core/tools/index.js'
import { version } from '../version.js'
import { listServers, type ServerPlaces } from './list-servers.js'
import { openTransport, type TransportSurroundings } from './open-transport.js'

export interface StartSetup extends ServerPlaces, TransportSurroundings {
  settings: ServerPlaces['settings'] & { tools: { enabled?: readonly string[] } }
  registry: Registry
  desk: ApprovalDesk
}

/** Starts the servers that may be and of which a tool is on: one that offers nothing need not run. */
export async function startServers(setup: StartSetup): Promise<ToolServers> {
  const { settings, registry, known, desk, onTrouble } = setup
  const wanted = settings.tools.enabled ?? []
  const isWanted = (name: string) =>
    wanted.some((id) => id.startsWith(`${name}/`) || id.startsWith(`mcp_${name}_`) || mayBeOffered(id, name))
  const listed = wanted.length === 0 ? [] : await listServers(setup)
  return toolServers({
    servers: listed
      .filter(({ name, state }) => state === 'on' && isWanted(name))
      .map((server) => ({
        name: server.name,
        timeoutMs: server.setting.timeoutMs,
        open: () => openTransport(server, setup),
      })),
    registry,
    seen: known.seen,
    version,
    onTrouble,
    ...(desk.canAsk && {
      ask: ({ server, session, message, form }, signal) =>
        desk.askQuestion({ kind: 'question', session, from: `MCP server ${server}`, message, form }, signal),
    }),
  })
}
