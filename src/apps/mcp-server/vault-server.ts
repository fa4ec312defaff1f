import { Server } from '@modelcontextprotocol/server'
import { version } from '../../hosts/node/version.js'
import type { ParkedCalls } from './approval/parked-calls.js'
import { callerOf } from './clients/caller.js'
import type { Clients } from './clients/clients.js'
import { instructions } from './instructions.js'
import { complete } from './prompts/complete.js'
import { getPrompt, listPrompts } from './prompts/prompts.js'
import { listNotes } from './resources/list-notes.js'
import { noteTemplate } from './resources/note-uri.js'
import { readResource } from './resources/read-resource.js'
import type { McpSetup } from './setup.js'
import { type Calling, callTool } from './tools/call-tool.js'
import { describeTool } from './tools/describe-tool.js'
import { offeredTools } from './tools/offered-tools.js'
import { toolAnswer } from './tools/tool-answer.js'

export interface VaultServerParts {
  setup: McpSetup
  clients: Clients
  parked: ParkedCalls
  /** Addresses that the client wants to hear of, where it says so one by one. */
  subscribed?: Set<string>
}

/** One vault, or several, for one connection or one request. */
export function vaultServer({ setup, clients, parked, subscribed = new Set() }: VaultServerParts): Server {
  const server = new Server(
    { name: 'notewright', title: 'Notewright', version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: {},
        completions: {},
        logging: {},
      },
      instructions: instructions(setup),
      requestState: { verify: parked.codec.verify },
    },
  )
  const clientOf = (context: Calling['context']) => clients.of(callerOf(server, context))
  const calling = (context: Calling['context']): Calling => {
    const caller = callerOf(server, context)
    return { setup, parked, context, caller, client: clients.of(caller) }
  }

  server.setRequestHandler('tools/list', async (_, context) => {
    const { vault } = await clientOf(context).on()
    return { tools: offeredTools(vault, setup).map((tool) => describeTool(tool, setup.vaults.names)) }
  })
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input } }, context) => {
    const outcome = await callTool({ name, input: input ?? {} }, calling(context))
    return 'asks' in outcome ? outcome.asks : toolAnswer(outcome.done)
  })

  server.setRequestHandler('resources/list', ({ params }, context) =>
    listNotes(setup, clientOf(context), params?.cursor),
  )
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [
      {
        uriTemplate: noteTemplate(setup.vaults),
        name: 'note',
        title: 'Note',
        description: 'A note by its path. Long ones come in parts.',
        mimeType: 'text/markdown',
      },
    ],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) => readResource(uri, calling(context)))
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    subscribed.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })

  server.setRequestHandler('prompts/list', async () => ({ prompts: listPrompts() }))
  server.setRequestHandler('prompts/get', async ({ params }) => getPrompt(params.name, params.arguments))
  server.setRequestHandler('completion/complete', ({ params }, context) => complete(params, setup, clientOf(context)))
  return server
}
