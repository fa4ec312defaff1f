import type { Readable, Writable } from 'node:stream'
import { handshake } from '../face.js'
import type { McpSetup } from '../setup.js'
import { greetingTransport } from './greeting-transport.js'
import { lineTransport } from './line-transport.js'

export interface StdioSetup extends McpSetup {
  input: Readable
  output: Writable
  signal: AbortSignal
}

/** Serves one client over two pipes, in whichever revision it speaks, until it goes or the signal aborts. */
export async function serveOnStdio({ input, output, signal, ...setup }: StdioSetup): Promise<void> {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  const wire = lineTransport(input, output, { onClosed: end })
  const transport = greetingTransport(wire, (version) => handshake(setup.vaults, version))
  await wire.start()
  const { serveConnection } = await import('./serve-connection.js')
  const served = serveConnection(transport, setup)
  await ended
  await served.close()
}
