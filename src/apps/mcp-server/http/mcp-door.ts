import { createMcpHandler, isLegacyRequest, type Server } from '@modelcontextprotocol/server'
import type { Door } from '../../server/index.js'
import { clients, followNotes, parkedCalls, vaultAnswers } from '../answering.js'
import { type Connection, connection } from '../connection.js'
import type { McpSetup } from '../setup.js'
import { vaultServer } from '../vault-server.js'
import { httpSessions } from './http-sessions.js'

/** What is served over HTTP: the same to clients of both eras of the protocol. */
export interface HttpServed {
  /** For a client that begins with a handshake: it has a session, in which it can be asked. */
  connect(): Pick<Connection, 'server' | 'close'>
  /** For one request of a client that has none. */
  once(): Server
  /** Told where to send news of notes for clients that listen without a session. */
  tell?(news: { updated(uri: string): void; listChanged(): void }): void
  close?(): Promise<void>
}

/** Streamable HTTP at `/mcp`. Its requests have passed the gate of the server. */
export function httpDoor({ connect, once, tell, close }: HttpServed): Door {
  const sessions = httpSessions(connect)
  return {
    path: '/mcp',
    mount(routes, { log, ending }) {
      const modern = createMcpHandler(once, { legacy: 'reject', onerror: (error) => log(`mcp: ${error.message}`) })
      tell?.({
        updated: (uri) => modern.notify.resourceUpdated(uri),
        listChanged: () => modern.notify.resourcesChanged(),
      })
      // Streams that wait for news would keep the server from ending.
      ending.addEventListener('abort', () => void Promise.all([sessions.close(), modern.close()]), { once: true })
      routes.all('/', async (c) => {
        const request = c.req.raw
        const body = c.get('body')
        if (await isLegacyRequest(request, body)) return sessions.handle(request, body)
        return modern.fetch(request, { parsedBody: body })
      })
    },
    async close() {
      await sessions.close()
      await close?.()
    },
  }
}

/** The vault, for clients of `notewright serve`. */
export function mcpDoor(setup: McpSetup): Door {
  const { vaults, onTrouble } = setup
  const parked = parkedCalls()
  let told = { updated: (_: string) => {}, listChanged: () => {} }
  const news = followNotes(vaults, {
    updated: (uri) => told.updated(uri),
    listChanged: () => told.listChanged(),
    subscribed: () => [],
  })
  const own = clients(setup, news.follow)
  const answers = vaultAnswers({ setup, clients: own, parked, log: {} })
  return httpDoor({
    connect: () => connection(setup, { isModern: false }),
    once: () => vaultServer({ vaults, answers: async () => answers, onTrouble }),
    tell(to) {
      told = to
    },
    async close() {
      news.stop()
      parked.close()
      await own.close()
    },
  })
}
