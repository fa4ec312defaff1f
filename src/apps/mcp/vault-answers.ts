import type {
  CallToolRequest,
  CompleteRequest,
  ListResourcesRequest,
  ReadResourceRequest,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server'
import { pausedCalls } from './approval.js'
import { callTool, toolCallResult } from './call-tool.js'
import { type ClientLog, logToRequest } from './client-log.js'
import { callerOf, clients } from './clients.js'
import { complete, listNotes, readNoteUri, readResource } from './resources.js'
import type { McpSetup } from './setup.js'
import { describeTool, offeredTools } from './tools.js'
import type { FollowedNotes } from './watch-notes.js'

export type VaultAnswers = ReturnType<typeof vaultAnswers>

/**
 * Answers the requests of one connection, or of one access key, that need a vault: one method per request of the
 * protocol. `notes` follows the vaults that a client opens.
 */
export function vaultAnswers(setup: McpSetup, { log, notes }: { log: ClientLog; notes: FollowedNotes }) {
  const parked = pausedCalls()
  const known = clients(setup, notes.follow)
  const callContext = (server: Server, context: ServerContext) => {
    const caller = callerOf(server, context)
    return { setup, parked, context, caller, client: known.of(caller), send: logToRequest(context, log) }
  }
  return {
    async listTools(server: Server, context: ServerContext) {
      const { vault } = await callContext(server, context).client.sessionOn()
      return { tools: offeredTools(vault, setup).map((tool) => describeTool(tool, setup.vaults.names)) }
    },
    async callTool(
      { params: { name, arguments: input = {} } }: CallToolRequest,
      server: Server,
      context: ServerContext,
    ) {
      const outcome = await callTool({ name, input }, callContext(server, context))
      return 'asks' in outcome ? outcome.asks : toolCallResult(outcome.done)
    },
    listResources: ({ params }: ListResourcesRequest, server: Server, context: ServerContext) =>
      listNotes(setup, callContext(server, context).client, params?.cursor),
    readResource: ({ params: { uri } }: ReadResourceRequest, server: Server, context: ServerContext) =>
      readResource(uri, callContext(server, context)),
    /** Watches the vault of a note at once, for a client that subscribes before any other request. */
    async follow(uri: string, server: Server, context: ServerContext): Promise<void> {
      const vault = readNoteUri(uri)?.vault ?? setup.vaults.names[0]
      await callContext(server, context).client.sessionOn(vault)
      await notes.startNow(vault)
    },
    complete: ({ params }: CompleteRequest, server: Server, context: ServerContext) =>
      complete(params, setup, callContext(server, context).client),
    verifyState: parked.codec.verify,
    withdraw: known.withdraw,
    async close(): Promise<void> {
      parked.close()
      await known.close()
    },
  }
}
