import type { Readable, Writable } from 'node:stream'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Connection, connection } from '../connection.js'
import type { McpSetup } from '../setup.js'
import { lineTransport } from './line-transport.js'

export interface StdioSetup extends McpSetup {
  input: Readable
  output: Writable
  signal: AbortSignal
}

/** Serves one client over two pipes, in whichever revision it speaks, until it goes or the signal aborts. */
export async function serveOnStdio({ input, output, signal, ...setup }: StdioSetup): Promise<void> {
  const connections: Connection[] = []
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  signal.addEventListener('abort', end, { once: true })
  const transport = lineTransport(input, output, { onClosed: end })
  const handle = serveStdio(
    ({ era }) => {
      const made = connection(setup, { isModern: era === 'modern' })
      connections.push(made)
      // It has its answer: from here on the time is ours.
      made.server.oninitialized = () => void setup.vaults.open(setup.vaults.names[0]).catch(() => undefined)
      return made.server
    },
    { transport, onerror: (error) => setup.onTrouble?.(error.message) },
  )
  await ended
  await handle.close()
  await Promise.all(connections.map((each) => each.close()))
}
