import type {
  CallToolRequest,
  CompleteRequest,
  ListResourcesRequest,
  ReadResourceRequest,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server'
import type { ParkedCalls } from './approval/parked-calls.js'
import { callerOf } from './clients/caller.js'
import type { Clients } from './clients/clients.js'
import { type ClientLog, sayTo } from './log/client-log.js'
import { complete } from './prompts/complete.js'
import { listNotes } from './resources/list-notes.js'
import { readResource } from './resources/read-resource.js'
import type { McpSetup } from './setup.js'
import { callTool } from './tools/call-tool.js'
import { describeTool } from './tools/describe-tool.js'
import { offeredTools } from './tools/offered-tools.js'
import { toolAnswer } from './tools/tool-answer.js'

export interface AnswerParts {
  setup: McpSetup
  clients: Clients
  parked: ParkedCalls
  log: ClientLog
}

/** What a server answers of the notes, one method a request of the protocol. */
export type VaultAnswers = ReturnType<typeof vaultAnswers>

export function vaultAnswers({ setup, clients, parked, log }: AnswerParts) {
  const calling = (server: Server, context: ServerContext) => {
    const caller = callerOf(server, context)
    return { setup, parked, context, caller, client: clients.of(caller), say: sayTo(context, log) }
  }
  return {
    async listTools(server: Server, context: ServerContext) {
      const { vault } = await calling(server, context).client.on()
      return { tools: offeredTools(vault, setup).map((tool) => describeTool(tool, setup.vaults.names)) }
    },
    async callTool(
      { params: { name, arguments: input = {} } }: CallToolRequest,
      server: Server,
      context: ServerContext,
    ) {
      const outcome = await callTool({ name, input }, calling(server, context))
      return 'asks' in outcome ? outcome.asks : toolAnswer(outcome.done)
    },
    listResources: ({ params }: ListResourcesRequest, server: Server, context: ServerContext) =>
      listNotes(setup, calling(server, context).client, params?.cursor),
    readResource: ({ params: { uri } }: ReadResourceRequest, server: Server, context: ServerContext) =>
      readResource(uri, calling(server, context)),
    complete: ({ params }: CompleteRequest, server: Server, context: ServerContext) =>
      complete(params, setup, calling(server, context).client),
    verifyState: parked.codec.verify,
  }
}
