import type { Server, Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type ClientLog, logToConnection } from './client-log.js'
import type { McpSetup } from './setup.js'
import type { VaultAnswers } from './vault-answers.js'
import { vaultServer } from './vault-server.js'

/** Serves the client at the other end of a transport, in the protocol revision it begins with. */
export function serveConnection(transport: Transport, setup: McpSetup): { close(): Promise<void> } {
  const connections: McpConnection[] = []
  const handle = serveStdio(
    ({ era }) => {
      const opened = connection(setup, { isModern: era === 'modern' })
      connections.push(opened)
      // The handshake is answered: the vault can be opened now. The first request reports a failure.
      opened.server.oninitialized = () => void opened.prepare().catch(() => undefined)
      return opened.server
    },
    { transport, onerror: (error) => setup.onTrouble?.(error.message) },
  )
  return {
    async close() {
      await handle.close()
      await Promise.all(connections.map((each) => each.close()))
    },
  }
}

/** The server of one connection: one client with its own sessions, which is notified of notes until it closes. */
export interface McpConnection {
  server: Server
  /** Opens the vault before the first request. */
  prepare(): Promise<void>
  /** Denies pending approvals: the client is no longer there to receive the result. */
  withdraw(): void
  close(): Promise<void>
}

/** The part of a connection that is loaded with its first request. */
interface OpenedConnection {
  answers: VaultAnswers
  close(): Promise<void>
}

/** `isModern`: the client chooses its notifications per request, so that all are sent. */
export function connection(given: McpSetup, { isModern }: { isModern: boolean }): McpConnection {
  const subscribed = new Set<string>()
  const log: ClientLog = { level: undefined }
  let opening: Promise<OpenedConnection> | undefined
  let isClosed = false

  async function open(): Promise<OpenedConnection> {
    // Tools, policy and notes: loaded here so that the handshake does not wait for them.
    const [{ vaultAnswers }, { followNotes }] = await Promise.all([
      import('./vault-answers.js'),
      import('./watch-notes.js'),
    ])
    const notes = followNotes(setup.vaults, {
      updated: (uri) => (isModern || subscribed.has(uri)) && server.sendResourceUpdated({ uri }),
      listChanged: () => server.sendResourceListChanged(),
      subscribed: () => subscribed,
    })
    const answers = vaultAnswers(setup, { log, notes })
    return {
      answers,
      async close() {
        notes.stop()
        await answers.close()
      },
    }
  }

  function opened(): Promise<OpenedConnection> {
    if (isClosed) return Promise.reject(new Error('The connection is closed.'))
    opening ??= open()
    return opening
  }

  const server = vaultServer({
    vaults: given.vaults,
    answers: async () => (await opened()).answers,
    subscribed,
    ...(!isModern && { log }),
    onTrouble(text) {
      given.onTrouble?.(text)
      // Details of a bug are only for the user.
      send('error', { message: 'A request failed unexpectedly.' })
    },
  })
  const send = logToConnection(server, log)
  const setup: McpSetup = {
    ...given,
    onTrouble(text) {
      given.onTrouble?.(text)
      send('warning', { message: text })
    },
  }
  const stopNews = given.news?.((level, text) => send(level, { message: text }))
  return {
    server,
    async prepare() {
      await opened()
      await setup.vaults.open(setup.vaults.names[0])
    },
    withdraw: () => void opening?.then(({ answers }) => answers.withdraw()),
    async close() {
      isClosed = true
      stopNews?.()
      await (await opening)?.close()
    },
  }
}
