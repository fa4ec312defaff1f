import { Failure } from '../../../../core/errors.js'
import { connectServer, type ListedServer, type ServerConnection } from '../../../../core/mcp/index.js'
import { type KeptHeaders, openTransport } from '../../mcp/index.js'
import { version } from '../../version.js'
import type { ServersPlace } from './find-servers.js'

/** Starts a server for as long as `use` runs. */
export async function withServer<T>(
  { surroundings, onLine, signal }: ServersPlace,
  server: ListedServer,
  headers: KeptHeaders,
  use: (connection: ServerConnection) => Promise<T>,
): Promise<T> {
  const { name, state, setting } = server
  if (state === 'untrusted') {
    throw new Failure('needs-approval', `${name} stands in the .mcp.json of this vault, and you have not trusted it.`, {
      hint: `See what it would run, and decide: notewright mcp-servers trust ${name}`,
    })
  }
  const transport = await openTransport(server, { environment: surroundings.environment, headers, onLine })
  signal.throwIfAborted()
  const stop = () => void transport.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const connection = await connectServer({ name, transport, version, startMs: setting.timeoutMs })
    try {
      return await use(connection)
    } finally {
      await connection.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
