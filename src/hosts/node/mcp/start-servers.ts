import { type ApprovalDesk, canonicalJson } from '../../../core/approval/index.js'
import {
  type ConfiguredServer,
  connectServer,
  isWanted,
  type ListedServer,
  shownUrl,
  type ToolServers,
  toolServers,
} from '../../../core/mcp/index.js'
import type { Registry } from '../../../core/tools/index.js'
import { hashBytes } from '../../../core/vault/index.js'
import { version } from '../version.js'
import { type HeaderSources, httpAddress } from './http-address.js'
import { listServers, type ServerPlaces } from './list-servers.js'
import { openTransport, type TransportSurroundings } from './open-transport.js'

export interface StartSetup extends ServerPlaces, TransportSurroundings {
  settings: ServerPlaces['settings'] & { tools: { enabled?: readonly string[] } }
  registry: Registry
  desk: ApprovalDesk
}

export async function startServers(setup: StartSetup): Promise<ToolServers> {
  const { registry, known, desk, onTrouble } = setup
  return toolServers({
    servers: await serversToRun(setup),
    connect: connectServer,
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

/** Those that may be started and of which a tool is on: one that offers nothing need not run. */
export async function serversToRun(setup: Omit<StartSetup, 'registry' | 'desk'>): Promise<ConfiguredServer[]> {
  const { settings } = setup
  const wanted = settings.tools.enabled ?? []
  const listed = wanted.length === 0 ? [] : await listServers(setup)
  const toRun = listed.filter(({ name, state }) => state === 'on' && isWanted(name, wanted))
  return Promise.all(
    toRun.map(async (server) => ({
      name: server.name,
      hash: await hashOf(server, setup),
      timeoutMs: server.setting.timeoutMs,
      ...('url' in server.setting && { address: shownUrl(server.setting.url) }),
      open: () => openTransport(server, setup),
    })),
  )
}

/** Of the entry, and of the headers that are kept apart from it. */
async function hashOf(server: ListedServer, setup: HeaderSources): Promise<string> {
  const { setting, hash } = server
  if (!('url' in setting)) return hash
  // What is wrong with it is told when it is used.
  const address = await httpAddress(server, setting, setup).catch(() => undefined)
  return hashBytes(new TextEncoder().encode(canonicalJson([hash, address])))
}
