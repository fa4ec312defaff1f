import { Server } from '@modelcontextprotocol/server'
import { asProtocolError } from './as-protocol-error.js'
import { capabilities, serverInfo } from './face.js'
import { instructions } from './instructions.js'
import { type ClientLog, levelRequest } from './log/client-log.js'
import { getPrompt, listPrompts } from './prompts/prompts.js'
import { noteTemplate } from './resources/note-uri.js'
import type { ServedVaults } from './setup.js'
import type { VaultAnswers } from './vault-answers.js'

export interface VaultServerSetup {
  vaults: ServedVaults
  /** Loaded with the first request that needs it: who connects has an answer before that. */
  answers(): Promise<VaultAnswers>
  /** Addresses that the client wants to hear of, where it says so one by one. */
  subscribed?: Set<string>
  /** What the client wants to hear of, where it says so for its whole connection. */
  log?: ClientLog
  /** Told of bugs: the client hears only that there was one. */
  onTrouble?(text: string): void
}

/** The protocol's side of a vault, or of several: for one connection, or for one request. */
export function vaultServer({ vaults, answers, subscribed = new Set(), log, onTrouble }: VaultServerSetup): Server {
  const server = new Server(serverInfo, {
    capabilities,
    instructions: instructions(vaults),
    requestState: { verify: async (state, context) => (await answers()).verifyState(state, context) },
  })
  const answered = async <T>(work: (answers: VaultAnswers) => Promise<T>): Promise<T> => {
    try {
      return await work(await answers())
    } catch (error) {
      throw asProtocolError(error, onTrouble)
    }
  }
  server.setRequestHandler('tools/list', (_, context) => answered((own) => own.listTools(server, context)))
  server.setRequestHandler('tools/call', (request, context) =>
    answered((own) => own.callTool(request, server, context)),
  )
  server.setRequestHandler('resources/list', (request, context) =>
    answered((own) => own.listResources(request, server, context)),
  )
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [template(vaults)] }))
  server.setRequestHandler('resources/read', (request, context) =>
    answered((own) => own.readResource(request, server, context)),
  )
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    subscribed.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })
  if (log !== undefined) {
    server.setRequestHandler('logging/setLevel', { params: levelRequest }, async ({ level }) => {
      log.asked = level
      return {}
    })
  }
  server.setRequestHandler('prompts/list', async () => ({ prompts: listPrompts() }))
  server.setRequestHandler('prompts/get', async ({ params }) => getPrompt(params.name, params.arguments))
  server.setRequestHandler('completion/complete', (request, context) =>
    answered((own) => own.complete(request, server, context)),
  )
  return server
}

const template = (vaults: ServedVaults) => ({
  uriTemplate: noteTemplate(vaults),
  name: 'note',
  title: 'Note',
  description: 'A note by its path. Long ones come in parts.',
  mimeType: 'text/markdown',
})
