import type { Server } from '@modelcontextprotocol/server'
import { type ParkedCalls, parkedCalls } from './approval/parked-calls.js'
import { clients } from './clients/clients.js'
import { followNotes } from './resources/follow-notes.js'
import type { McpSetup } from './setup.js'
import { vaultServer } from './vault-server.js'

/** The server of one connection, which is one client with sessions of its own. It hears of notes as long as it lasts. */
export interface Connection {
  server: Server
  close(): Promise<void>
}

/** `isModern`: what it hears of is chosen where its requests come in, so that it is told of all. */
export function connection(setup: McpSetup, { isModern }: { isModern: boolean }): Connection {
  const parked: ParkedCalls = parkedCalls()
  const subscribed = new Set<string>()
  const news = followNotes(setup.vaults, {
    updated: (uri) => (isModern || subscribed.has(uri)) && server.sendResourceUpdated({ uri }),
    listChanged: () => server.sendResourceListChanged(),
    subscribed: () => subscribed,
  })
  const own = clients(setup, news.follow)
  const server = vaultServer({ setup, clients: own, parked, subscribed })
  return {
    server,
    async close() {
      news.stop()
      parked.close()
      await own.close()
    },
  }
}
