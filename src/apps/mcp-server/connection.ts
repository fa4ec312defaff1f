import type { Server } from '@modelcontextprotocol/server'
import { type ClientLog, sayOn } from './log/client-log.js'
import type { McpSetup } from './setup.js'
import type { VaultAnswers } from './vault-answers.js'
import { vaultServer } from './vault-server.js'

/** The server of one connection, which is one client with sessions of its own. It hears of notes as long as it lasts. */
export interface Connection {
  server: Server
  /** Gets ready for the first request. */
  prepare(): Promise<void>
  close(): Promise<void>
}

interface Behind {
  answers: VaultAnswers
  close(): Promise<void>
}

/** `isModern`: what it hears of is chosen where its requests come in, so that it is told of all. */
export function connection(given: McpSetup, { isModern }: { isModern: boolean }): Connection {
  const subscribed = new Set<string>()
  const log: ClientLog = {}
  let behind: Promise<Behind> | undefined
  let isClosed = false

  async function open(): Promise<Behind> {
    const { clients, followNotes, parkedCalls, vaultAnswers } = await import('./answering.js')
    const news = followNotes(setup.vaults, {
      updated: (uri) => (isModern || subscribed.has(uri)) && server.sendResourceUpdated({ uri }),
      listChanged: () => server.sendResourceListChanged(),
      subscribed: () => subscribed,
    })
    const parked = parkedCalls()
    const own = clients(setup, news.follow)
    return {
      answers: vaultAnswers({ setup, clients: own, parked, log }),
      async close() {
        news.stop()
        parked.close()
        await own.close()
      },
    }
  }

  function opened(): Promise<Behind> {
    if (isClosed) return Promise.reject(new Error('The connection is closed.'))
    behind ??= open()
    return behind
  }

  const server = vaultServer({
    vaults: given.vaults,
    answers: async () => (await opened()).answers,
    subscribed,
    ...(!isModern && { log }),
    onTrouble(text) {
      given.onTrouble?.(text)
      // A bug's words are for the person alone.
      say('error', { message: 'A request failed unexpectedly.' })
    },
  })
  const say = sayOn(server, log)
  const setup: McpSetup = {
    ...given,
    onTrouble(text) {
      given.onTrouble?.(text)
      say('warning', { message: text })
    },
  }
  const stopNews = given.news?.((level, text) => say(level, { message: text }))
  return {
    server,
    async prepare() {
      await opened()
      await setup.vaults.open(setup.vaults.names[0])
    },
    async close() {
      isClosed = true
      stopNews?.()
      await (await behind)?.close()
    },
  }
}
