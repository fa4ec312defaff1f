import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { type AcpSetup, acpAgent } from './agent.js'

interface StdioSetup extends AcpSetup {
  input: Readable
  output: Writable
  signal: AbortSignal
}

/** Serves one editor over two pipes until it disconnects or the signal aborts. */
export async function serveAcp({ input, output, signal, ...setup }: StdioSetup): Promise<void> {
  const { app, close } = acpAgent(setup)
  const stream = ndJsonStream(
    Writable.toWeb(output) as WritableStream<Uint8Array>,
    Readable.toWeb(input) as ReadableStream<Uint8Array>,
  )
  const connection = app.connect(stream)
  const stop = () => connection.close()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  await connection.closed
  signal.removeEventListener('abort', stop)
  await close()
}
