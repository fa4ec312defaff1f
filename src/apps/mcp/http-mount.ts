import { createMcpHandler, isLegacyRequest, type Server } from '@modelcontextprotocol/server'
import type { Mount } from '../server/index.js'
import { connection } from './connection.js'
import { type HttpConnection, httpSessions } from './http-sessions.js'
import type { McpSetup } from './setup.js'
import { type VaultAnswers, vaultAnswers } from './vault-answers.js'
import { vaultServer } from './vault-server.js'
import { followNotes } from './watch-notes.js'

interface McpMountSetup extends McpSetup {
  /** The client of an Authorization header. Without it, all clients are treated as one. */
  clientOf?(authorization: string | null): KeyedClient | undefined
  isRevoked?: HttpSetup['isRevoked']
}

/** A client with an access key. */
interface KeyedClient extends Required<Pick<McpSetup, 'session'>> {
  client: { id: string; trustsForms: boolean }
}

/** The vault for MCP clients of `notewright serve`. Each access key has its own sessions and parked calls. */
export function mcpMount({ clientOf = () => undefined, isRevoked, ...setup }: McpMountSetup): Mount {
  const { vaults, onTrouble } = setup
  const owners = new Map<string, { setup: McpSetup; answers: VaultAnswers }>()
  let notifier: Notifier = { updated: () => {}, listChanged: () => {} }
  const notes = followNotes(vaults, {
    updated: (uri) => notifier.updated(uri),
    listChanged: () => notifier.listChanged(),
    subscribed: () => [],
  })

  function ownerOf(request: Request): string {
    const keyed = clientOf(request.headers.get('authorization'))
    const id = keyed?.client.id ?? ''
    if (!owners.has(id)) {
      const own = { ...setup, ...keyed }
      owners.set(id, { setup: own, answers: vaultAnswers(own, { log: { level: undefined }, notes }) })
    }
    return id
  }

  // Ends what clients of a revoked key have started, also without a session.
  const dropRevoked = setInterval(() => {
    for (const [id, { answers }] of owners) {
      if (!isRevoked?.(id)) continue
      owners.delete(id)
      void answers.close()
    }
  }, 1000)
  dropRevoked.unref()

  return httpMount({
    ownerOf,
    ...(isRevoked && { isRevoked }),
    // `ownerOf` has added the owner of every request.
    connect: (owner) => connection(owners.get(owner)!.setup, { isModern: false }),
    serverForRequest: (owner) =>
      vaultServer({ vaults, answers: async () => owners.get(owner)!.answers, ...(onTrouble && { onTrouble }) }),
    onNotifier(given) {
      notifier = given
    },
    async close() {
      clearInterval(dropRevoked)
      notes.stop()
      await Promise.all([...owners.values()].map(({ answers }) => answers.close()))
    },
  })
}

/** Sends notifications to clients that listen without a session. */
interface Notifier {
  updated(uri: string): void
  listChanged(): void
}

/** The servers of `/mcp`, for clients of both generations of the protocol. */
interface HttpSetup {
  /** The owner of a request: the id of its access key. Absent if all requests have the same owner. */
  ownerOf?(request: Request): string
  /** True if the key of that owner was revoked. */
  isRevoked?(owner: string): boolean
  /** For a client that begins with a handshake: it has a session, in which it can be asked. */
  connect(owner: string): HttpConnection
  /** For one request of a client without a session. */
  serverForRequest(owner: string): Server
  onNotifier?(notifier: Notifier): void
  close?(): Promise<void>
}

/** Streamable HTTP at `/mcp`. Its requests have passed the request check of the server. */
export function httpMount(setup: HttpSetup): Mount {
  const { ownerOf = () => '', isRevoked, connect, serverForRequest, onNotifier, close } = setup
  const sessions = httpSessions({ connect, ...(isRevoked && { isRevoked }) })
  return {
    path: '/mcp',
    errorBody: ({ message }) => ({ jsonrpc: '2.0', id: null, error: { code: -32001, message } }),
    addRoutes(routes, { log, ending }) {
      const modern = createMcpHandler(({ authInfo }) => serverForRequest(authInfo?.clientId ?? ''), {
        legacy: 'reject',
        onerror: (error) => log(`mcp: ${error.message}`),
      })
      onNotifier?.({
        updated: (uri) => modern.notify.resourceUpdated(uri),
        listChanged: () => modern.notify.resourcesChanged(),
      })
      // Streams that wait for notifications would keep the server from closing.
      ending.addEventListener('abort', () => void Promise.all([sessions.close(), modern.close()]), { once: true })
      routes.all('/', async (c) => {
        const request = c.req.raw
        const body = c.get('body')
        const owner = ownerOf(request)
        if (await isLegacyRequest(request, body)) return sessions.handle(request, body, owner)
        return modern.fetch(request, { parsedBody: body, authInfo: { token: '', clientId: owner, scopes: [] } })
      })
    },
    async close() {
      await sessions.close()
      await close?.()
    },
  }
}
