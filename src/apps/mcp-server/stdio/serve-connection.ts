import type { Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Connection, connection } from '../connection.js'
import type { McpSetup } from '../setup.js'

/** Serves whoever is at the other end, in the revision they begin with. */
export function serveConnection(transport: Transport, setup: McpSetup): { close(): Promise<void> } {
  const connections: Connection[] = []
  const handle = serveStdio(
    ({ era }) => {
      const made = connection(setup, { isModern: era === 'modern' })
      connections.push(made)
      // It has its answer: from here on the time is ours.
      made.server.oninitialized = () => void made.prepare().catch(() => undefined)
      return made.server
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
