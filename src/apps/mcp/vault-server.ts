import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { Failure } from '../../core/errors.js'
import { type ClientLog, levelRequest } from './client-log.js'
import { getPrompt, listPrompts } from './prompts.js'
import { capabilities, instructions, serverInfo } from './server-info.js'
import type { ServedVaults } from './setup.js'
import type { VaultAnswers } from './vault-answers.js'

interface VaultServerSetup {
  vaults: ServedVaults
  /** Loaded with the first request that needs the vault, so that the handshake is answered before. */
  answers(): Promise<VaultAnswers>
  /** URIs that the client has subscribed to. */
  subscribed?: Set<string>
  /** The log level of the connection, for revisions in which the client sets it once. */
  log?: ClientLog
  /** Reports bugs. The client only learns that there was one. */
  onTrouble?(text: string): void
}

/** The MCP server for one connection, or for one request. */
export function vaultServer({ vaults, answers, subscribed = new Set(), log, onTrouble }: VaultServerSetup): Server {
  const server = new Server(serverInfo, {
    capabilities,
    instructions: instructions(vaults),
    requestState: { verify: async (state, context) => (await answers()).verifyState(state, context) },
  })
  const answer = async <T>(work: (answers: VaultAnswers) => Promise<T>): Promise<T> => {
    try {
      return await work(await answers())
    } catch (error) {
      throw protocolError(error, onTrouble)
    }
  }
  server.setRequestHandler('tools/list', (_, context) => answer((vault) => vault.listTools(server, context)))
  server.setRequestHandler('tools/call', (request, context) =>
    answer((vault) => vault.callTool(request, server, context)),
  )
  server.setRequestHandler('resources/list', (request, context) =>
    answer((vault) => vault.listResources(request, server, context)),
  )
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [noteTemplate(vaults)] }))
  server.setRequestHandler('resources/read', (request, context) =>
    answer((vault) => vault.readResource(request, server, context)),
  )
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }, context) => {
    subscribed.add(uri)
    return answer(async (vault) => {
      await vault.follow(uri, server, context)
      return {}
    })
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })
  if (log !== undefined) {
    server.setRequestHandler('logging/setLevel', { params: levelRequest }, async ({ level }) => {
      log.level = level
      return {}
    })
  }
  server.setRequestHandler('prompts/list', async () => ({ prompts: listPrompts() }))
  server.setRequestHandler('prompts/get', async ({ params }) => getPrompt(params.name, params.arguments))
  server.setRequestHandler('completion/complete', (request, context) =>
    answer((vault) => vault.complete(request, server, context)),
  )
  return server
}

const noteTemplate = (vaults: ServedVaults) => ({
  // Any path, plain or percent-encoded.
  uriTemplate: vaults.names.length < 2 ? 'note:///{+path}' : 'note://{vault}/{+path}',
  name: 'note',
  title: 'Note',
  description: 'A note by its path. Long ones come in parts.',
  mimeType: 'text/markdown',
})

/** The error of a failed request that is not a tool call. Details of a bug are only for the user. */
function protocolError(error: unknown, onTrouble: (text: string) => void = () => {}): Error {
  if (error instanceof ProtocolError) return error
  if (error instanceof Failure) {
    const { code, message, details } = error
    const text = [message, details.hint].filter(Boolean).join(' ')
    return new ProtocolError(ProtocolErrorCode.InvalidRequest, text, {
      code,
      ...(details.hint && { hint: details.hint }),
    })
  }
  if ((error as Error)?.name === 'AbortError') return error as Error
  onTrouble(`${(error as Error)?.stack ?? error}`)
  return new ProtocolError(ProtocolErrorCode.InternalError, 'This failed unexpectedly.')
}
